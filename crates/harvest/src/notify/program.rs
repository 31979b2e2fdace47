//! A program that gets a notice on standard input. It is run without a shell, says
//! nothing to the harvest's own output, and is killed when its time is over.

use super::options::NotifyOptions;
use super::queue::NoticeQueue;
use std::io::Write;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The first and the longest pause between two looks at whether it has ended.
const LOOKS: (Duration, Duration) = (Duration::from_millis(2), Duration::from_millis(100));

/// A program and its arguments.
#[derive(Debug)]
pub(super) struct Program {
    words: Vec<String>,
    time: Duration,
    retries: usize,
    pause: Duration,
}

/// The reason why a program did not take the notice.
struct ProgramFailure {
    why: String,
    /// It may take it another time.
    again: bool,
}

impl Program {
    pub fn new(words: Vec<String>, options: &NotifyOptions) -> Program {
        Program {
            words,
            time: options.program,
            retries: options.retries,
            pause: options.pause,
        }
    }

    /// Runs it until it succeeds. One that had to be killed is not run again: it would
    /// hang again, and hold up the next notice.
    pub fn run(&self, json: &str, queue: &NoticeQueue) -> Result<(), String> {
        let mut pause = self.pause;
        for _ in 0..self.retries {
            match self.once(json, queue) {
                Err(failed) if failed.again => {}
                result => return result.map_err(|failed| failed.why),
            }
            if queue.pause(pause) {
                return Err("the harvest ended".to_owned());
            }
            pause = pause.saturating_mul(2);
        }
        self.once(json, queue).map_err(|failed| failed.why)
    }

    fn once(&self, json: &str, queue: &NoticeQueue) -> Result<(), ProgramFailure> {
        let lasting = |why: String| ProgramFailure { why, again: false };
        let (name, arguments) = self.words.split_first().expect("it has a name");
        let mut command = Command::new(name);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // A Ctrl-C that ends the harvest does not end it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let started = command.spawn();
        let mut child = started.map_err(|error| lasting(format!("it does not start: {error}")))?;
        if let Some(mut stdin) = child.stdin.take() {
            let line = format!("{json}\n");
            // One that does not read holds up no more than this thread, and that ends
            // with it.
            std::thread::spawn(move || stdin.write_all(line.as_bytes()));
        }
        match self.wait(&mut child, queue) {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(ProgramFailure {
                why: format!("it ended with {status}"),
                again: true,
            }),
            Err(why) => {
                // It may have ended just now.
                let _ = child.kill();
                let _ = child.wait();
                Err(lasting(why))
            }
        }
    }

    fn wait(&self, child: &mut Child, queue: &NoticeQueue) -> Result<ExitStatus, String> {
        let end = Instant::now() + self.time;
        let (mut pause, longest) = LOOKS;
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Ok(status),
                Ok(None) => {}
                Err(error) => return Err(error.to_string()),
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(format!(
                    "it did not end within {} s and was killed",
                    self.time.as_secs()
                ));
            }
            if queue.pause(pause.min(left)) {
                return Err("it was killed when the harvest ended".to_owned());
            }
            pause = (pause * 2).min(longest);
        }
    }
}
