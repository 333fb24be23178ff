//! The system calls that a program in the sandbox cannot make, as a seccomp filter.
//!
//! A denied call fails with `ENOSYS`, as on a kernel that lacks it: programs handle that best.

use std::collections::BTreeMap;
use std::env::consts::ARCH;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};

/// Memory that belongs to no process: a measurement of processes does not see it.
const HIDDEN_MEMORY: &[c_long] = &[
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
];
/// Access to the memory and the files of other processes.
const OTHER_PROCESSES: &[c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
];
/// Namespaces and mounts. `clone3` hides its flags from a filter; the C library then uses `clone`.
const NAMESPACES: &[c_long] = &[
    libc::SYS_clone3,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
];
/// Parts of the kernel that no course needs, and that have often had errors.
const KERNEL: &[c_long] = &[
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_personality,
    libc::SYS_vhangup,
];
const NAMESPACE_FLAGS: &[i32] = &[
    libc::CLONE_NEWNS,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];
/// Requests of `ioctl` that type into the terminal.
const TERMINAL_REQUESTS: &[u64] = &[libc::TIOCSTI, libc::TIOCLINUX];

/// The filter, or `None` if there is none for this processor. Without a network namespace, the filter
/// also denies sockets.
pub(super) fn filter(denies_sockets: bool) -> Option<BpfProgram> {
    let arch = TargetArch::try_from(ARCH).ok()?;
    let denied = [HIDDEN_MEMORY, OTHER_PROCESSES, NAMESPACES, KERNEL].into_iter().flatten();
    let mut rules: BTreeMap<c_long, Vec<SeccompRule>> =
        denied.map(|&call| (call, Vec::new())).collect();
    if denies_sockets {
        rules.insert(libc::SYS_socket, Vec::new());
    }
    let flags = NAMESPACE_FLAGS.iter().map(|&flag| has_bits(0, flag as u32 as u64));
    rules.insert(libc::SYS_clone, flags.collect::<Option<_>>()?);
    let requests = TERMINAL_REQUESTS.iter().map(|&request| equals(1, request));
    rules.insert(libc::SYS_ioctl, requests.collect::<Option<_>>()?);
    let denied = SeccompAction::Errno(libc::ENOSYS as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, denied, arch).ok()?;
    let program = BpfProgram::try_from(filter).ok()?;
    Some(if cfg!(target_arch = "x86_64") { without_x32(program) } else { program })
}

/// The program in the kernel's binary format, for other programs that load it.
pub(super) fn to_bytes(program: &BpfProgram) -> Vec<u8> {
    let bytes = |i: &sock_filter| {
        let ([c0, c1], [k0, k1, k2, k3]) = (i.code.to_ne_bytes(), i.k.to_ne_bytes());
        [c0, c1, i.jt, i.jf, k0, k1, k2, k3]
    };
    program.iter().flat_map(bytes).collect()
}

/// A rule for calls whose argument has these bits.
fn has_bits(arg: u8, bits: u64) -> Option<SeccompRule> {
    rule(arg, SeccompCmpOp::MaskedEq(bits), bits)
}

fn equals(arg: u8, value: u64) -> Option<SeccompRule> {
    rule(arg, SeccompCmpOp::Eq, value)
}

fn rule(arg: u8, op: SeccompCmpOp, value: u64) -> Option<SeccompRule> {
    let condition = SeccompCondition::new(arg, SeccompCmpArgLen::Dword, op, value).ok()?;
    SeccompRule::new(vec![condition]).ok()
}

/// Denies all calls of the x32 interface, whose numbers are those of x86-64 plus a bit.
fn without_x32(program: BpfProgram) -> BpfProgram {
    const X32_BIT: u32 = 0x4000_0000;
    // Instructions of classic BPF: BPF_LD | BPF_W | BPF_ABS, BPF_JMP | BPF_JGE | BPF_K, BPF_RET | BPF_K.
    const LOAD_WORD: u16 = 0x20;
    const JUMP_IF_AT_LEAST: u16 = 0x35;
    const RETURN: u16 = 0x06;
    let load_number = sock_filter { code: LOAD_WORD, jt: 0, jf: 0, k: 0 };
    let is_x32 = sock_filter { code: JUMP_IF_AT_LEAST, jt: 0, jf: 1, k: X32_BIT };
    let denied = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
    let deny = sock_filter { code: RETURN, jt: 0, jf: 0, k: denied };
    [load_number, is_x32, deny].into_iter().chain(program).collect()
}

/// Applies the filter to this process and its children. Returns whether that is possible.
pub(super) fn apply() -> bool {
    filter(true).is_some_and(|program| seccompiler::apply_filter(&program).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filter_exists_and_denies_more_without_a_network_namespace() {
        let [with, without] = [false, true].map(|denies_sockets| filter(denies_sockets).unwrap());
        assert!(with.len() < without.len());
        assert_eq!(to_bytes(&with).len(), 8 * with.len());
    }
}
