//! The state that all connections share.

use std::sync::Arc;

use crate::config::{Config, ServerLimits};
use crate::connections::ConnectionList;
use crate::host_check::AllowedHosts;
use crate::jobs::Jobs;
use crate::site_address::PageAddress;

/// The state that all connections share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) jobs: Arc<Jobs>,
    pub(crate) allowed_hosts: Arc<AllowedHosts>,
    pub(crate) connections: Arc<ConnectionList>,
    pub(crate) public_address: Option<PageAddress>,
}

impl App {
    pub(crate) fn new(config: Config) -> App {
        App {
            allowed_hosts: Arc::new(AllowedHosts::new(
                config.host,
                &config.allowed_hosts,
                &config.allowed_origins,
            )),
            jobs: Arc::new(Jobs::new(config.limits, config.store)),
            connections: Arc::default(),
            public_address: config.public_address,
        }
    }

    pub(crate) fn limits(&self) -> &ServerLimits {
        &self.jobs.limits
    }
}
