//! Commands of a user without rights, for what a folder or file must not let happen.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// True if files in `home` are made by root, whom no file's mode stops.
pub fn is_root(home: &Path) -> bool {
    fs::metadata(home).expect("there").uid() == 0
}

/// `command` in `home`, as user 65534 where it would be root's.
pub fn as_nobody(command: Command, home: &Path) -> Command {
    if !is_root(home) {
        return command;
    }
    fs::set_permissions(home, fs::Permissions::from_mode(0o755)).expect("set");
    let program = home.join("program-for-all");
    if !program.exists() {
        // The program itself may stand where only root may go. Copied by another process:
        // no thread of this one starts a process meanwhile that holds the copy open.
        let mut copy = Command::new("cp");
        let copied = copy.arg(command.get_program()).arg(&program).status();
        assert!(copied.expect("cp").success());
    }
    let mut other = Command::new(program);
    other.args(command.get_args()).current_dir(home);
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => other.env(name, value),
            None => other.env_remove(name),
        };
    }
    other.uid(65534).gid(65534);
    other
}
