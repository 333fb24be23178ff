//! The table of requests: from a name and a body to an operation.

use serde::de::DeserializeOwned;

use crate::error::ApiError;
use crate::limits::RequestLimits;
use crate::operation::{Operation, Request as _};
use crate::{analyse, boards, check, compare, render, solve, trace};

/// Defines the names of the requests and the function that reads them from one table.
macro_rules! requests {
    ($($name:literal => $request:ty,)+) => {
        /// The names of all requests.
        pub const REQUESTS: &[&str] = &[$($name),+];

        /// Reads and checks the request of this name.
        pub fn read_request(
            name: &str,
            body: &[u8],
            limits: &RequestLimits,
        ) -> Result<Operation, ApiError> {
            match name {
                $($name => parse::<$request>(body)?.validate(limits),)+
                _ => Err(ApiError::unknown_path()),
            }
        }
    };
}

requests! {
    "solve" => solve::SolveRequest,
    "read" => boards::ReadRequest,
    "analyse" => analyse::AnalyseRequest,
    "losses" => analyse::LossesRequest,
    "generate" => boards::GenerateRequest,
    "check" => check::CheckRequest,
    "trace" => trace::TraceRequest,
    "compare" => compare::CompareRequest,
    "render" => render::RenderRequest,
}

/// Parses a JSON object. Serde would also accept an array of the field values; that is rejected,
/// because its meaning would change when a field is added.
fn parse<R: DeserializeOwned>(body: &[u8]) -> Result<R, ApiError> {
    let parse = || {
        if body.trim_ascii_start().first() == Some(&b'[') {
            serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(body)?;
        }
        serde_json::from_slice(body)
    };
    parse().map_err(|error| ApiError::json(&error))
}
