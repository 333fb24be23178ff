//! Landlock: a process and its children give up access to files, and to processes outside.
//!
//! It needs no rights, so it works inside of containers in which bubblewrap does not.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus,
    Scope, path_beneath_rules,
};

/// The newest version that is used. Older kernels enforce what they know.
const VERSION: ABI = ABI::V6;
/// Devices that programs write to, and what they read about themselves.
const WRITABLE: &[&str] = &["/dev/null", "/dev/zero", "/dev/full"];
const READABLE: &[&str] = &["/proc", "/dev/random", "/dev/urandom"];

/// Restricts this process and its children. Returns whether the kernel can do that.
pub(super) fn restrict(readable: &[PathBuf], writable: &Path) -> bool {
    try_restrict(readable, writable).is_ok_and(|status| status != RulesetStatus::NotEnforced)
}

fn try_restrict(readable: &[PathBuf], writable: &Path) -> Result<RulesetStatus, RulesetError> {
    let (read, all) = (AccessFs::from_read(VERSION), AccessFs::from_all(VERSION));
    // Rules for paths that do not exist are left out.
    let status = Ruleset::default()
        .handle_access(all)?
        .scope(Scope::from_all(VERSION))?
        .create()?
        .add_rules(path_beneath_rules(READABLE, read))?
        .add_rules(path_beneath_rules(readable, read))?
        .add_rules(path_beneath_rules(WRITABLE, all))?
        .add_rules(path_beneath_rules([writable], all))?
        .restrict_self()?;
    Ok(status.ruleset)
}
