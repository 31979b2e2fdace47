//! Programs that run until a test stops them.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A program with all that it starts, which ends with the test, also with one that fails: what
/// goes on, as a browser whose driver is killed, keeps the output of the tests open, and who reads
/// that waits for it.
#[derive(Debug)]
pub struct Started {
    pub child: Child,
}

impl Started {
    pub fn new(command: &mut Command) -> Started {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let child = command.spawn().expect("it runs");
        Started { child }
    }

    /// Starts a program and gives what `read` finds first in a line that it prints; `None` if it
    /// ends without one.
    #[allow(dead_code, reason = "not every suite has tests that need it")]
    pub fn saying<T>(
        command: &mut Command,
        read: impl Fn(&str) -> Option<T>,
    ) -> Option<(Started, T)> {
        let mut started = Started::new(command.stdout(Stdio::piped()));
        let mut lines = BufReader::new(started.child.stdout.take().expect("piped")).lines();
        let found = lines.find_map(|line| read(&line.expect("UTF-8")));
        // What it prints later has a reader, too.
        std::thread::spawn(move || lines.for_each(drop));
        Some((started, found?))
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // It may have ended, and nobody needs its end.
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::KILL,
        );
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(unix)]
#[test]
fn what_a_program_started_ends_with_it() {
    // The shell's child keeps the pipe open, as a browser does; the shell says its number.
    let mut shell = Command::new("sh");
    shell.args(["-c", "sleep 600 & echo $!; wait"]);
    let (shell, child) = Started::saying(&mut shell, |line| line.parse::<i32>().ok()).expect("it");
    let child = rustix::process::Pid::from_raw(child).expect("a number");
    assert!(rustix::process::test_kill_process(child).is_ok());
    drop(shell);
    // It is gone as soon as the system has taken note of it, or a zombie nobody waits for.
    let is_there = || {
        let state = std::fs::read_to_string(format!("/proc/{}/stat", child.as_raw_nonzero()));
        state.is_ok_and(|stat| !stat.contains(") Z"))
    };
    while is_there() {
        std::thread::yield_now();
    }
}
