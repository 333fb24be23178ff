//! Data URIs.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The data URI of some bytes.
pub(crate) fn data_uri(media_type: &str, bytes: &[u8]) -> String {
    format!("data:{media_type};base64,{}", STANDARD.encode(bytes))
}
