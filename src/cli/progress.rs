//! The progress of work that takes longer than two seconds: a bar on a terminal, a line a
//! minute in a log, nothing if neither was asked for.

use super::log::{LogFormat, TARGET};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// Time before a bar is drawn.
const PATIENCE: Duration = Duration::from_secs(2);

/// Time between two drawings of a bar on which nothing happens.
const TICK: Duration = Duration::from_millis(200);

/// Time between two lines in a log.
const MINUTE: Duration = Duration::from_secs(60);

/// The bar of work whose steps are known.
const BAR: &str = "{msg} {wide_bar} {pos}/{len} {eta}";

/// The display of progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressDisplay {
    /// A bar, on a terminal.
    Bar,
    /// A line a minute.
    Lines,
    Nothing,
}

impl ProgressDisplay {
    /// The display that the flags `--quiet`, `--verbose` and `--log` ask for.
    pub fn of(quiet: bool, verbose: bool, log: Option<LogFormat>, is_terminal: bool) -> Self {
        match log {
            _ if quiet => ProgressDisplay::Nothing,
            None | Some(LogFormat::Text) if is_terminal => ProgressDisplay::Bar,
            _ if verbose || log.is_some() => ProgressDisplay::Lines,
            _ => ProgressDisplay::Nothing,
        }
    }
}

/// The progress of one piece of work. Its display ends when this is dropped.
#[derive(Debug)]
pub struct WorkProgress {
    bar: ProgressBar,
    /// Its end wakes the thread of the display.
    end: Option<Sender<()>>,
}

impl WorkProgress {
    /// Begins to show the work `what` of `steps` steps, if they are known; with the
    /// template `uncounted`, if not.
    pub fn begin(
        display: ProgressDisplay,
        bars: &MultiProgress,
        what: &'static str,
        steps: Option<u64>,
        uncounted: &'static str,
    ) -> WorkProgress {
        let bar = ProgressBar::with_draw_target(steps, ProgressDrawTarget::hidden());
        set_style(&bar, steps.map_or(uncounted, |_| BAR));
        bar.set_message(what);
        let (end, wait) = channel();
        let (bars, shown) = (bars.clone(), bar.clone());
        match display {
            ProgressDisplay::Nothing => return WorkProgress { bar, end: None },
            ProgressDisplay::Bar => thread::spawn(move || show_bar(&bars, shown, PATIENCE, &wait)),
            ProgressDisplay::Lines => thread::spawn(move || {
                let print = |line| tracing::info!(target: TARGET, "{line}");
                show_lines(&shown, MINUTE, &wait, print);
            }),
        };
        let end = Some(end);
        WorkProgress { bar, end }
    }

    /// One step more is done.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// Says more of the work than its name.
    pub fn say(&self, message: String) {
        self.bar.set_message(message);
    }

    /// `done` of `all` steps are done.
    pub fn at(&self, done: u64, all: u64) {
        self.expect(all);
        self.bar.set_position(done);
    }

    /// `steps` steps are left, as far as is known now.
    pub fn left(&self, steps: u64) {
        self.expect(self.bar.position() + steps);
    }

    fn expect(&self, all: u64) {
        if self.bar.length().is_none() {
            set_style(&self.bar, BAR);
        }
        self.bar.set_length(all);
    }
}

impl Drop for WorkProgress {
    fn drop(&mut self) {
        self.end = None;
        self.bar.finish_and_clear();
    }
}

fn set_style(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
}

/// Draws a bar after a while, unless the work is done before.
fn show_bar(bars: &MultiProgress, bar: ProgressBar, patience: Duration, end: &Receiver<()>) {
    if end.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
        bars.add(bar).enable_steady_tick(TICK);
    }
}

/// Prints a line after each pause until the work is done.
fn show_lines(bar: &ProgressBar, pause: Duration, end: &Receiver<()>, print: impl Fn(String)) {
    while end.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        let (position, length) = (bar.position(), bar.length());
        print(line(&bar.message(), position, length, bar.elapsed()));
    }
}

/// `pages: 120 of 340 after 2 min`.
fn line(what: &str, done: u64, all: Option<u64>, elapsed: Duration) -> String {
    let count = match (done, all) {
        (0, None) => String::new(),
        (done, None) => format!(" {done}"),
        (done, Some(all)) => format!(" {done} of {all}"),
    };
    format!("{what}:{count} after {} min", elapsed.as_secs() / 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_for_a_terminal_and_lines_are_for_a_log() {
        use LogFormat::{Json, Text};
        use ProgressDisplay::{Bar, Lines, Nothing};
        let check = |quiet, verbose, log: Option<LogFormat>, is_terminal, expected| {
            let display = ProgressDisplay::of(quiet, verbose, log, is_terminal);
            assert_eq!(display, expected, "{quiet} {verbose} {log:?} {is_terminal}");
        };
        check(false, false, None, true, Bar);
        check(false, true, None, true, Bar);
        check(false, false, Some(Text), true, Bar);
        check(true, false, None, true, Nothing);
        check(false, false, Some(Json), true, Lines);
        check(false, false, None, false, Nothing);
        check(false, true, None, false, Lines);
        check(false, false, Some(Text), false, Lines);
        check(true, false, Some(Json), false, Nothing);
    }

    #[test]
    fn a_line_is_printed_again_and_again_until_the_work_is_done() {
        let bar = ProgressBar::with_draw_target(Some(340), ProgressDrawTarget::hidden());
        bar.set_message("pages");
        bar.set_position(120);
        let (print, printed) = channel();
        let (end, wait) = channel();
        let shown = thread::spawn(move || {
            show_lines(&bar, Duration::ZERO, &wait, |line| {
                // The test may have ended.
                let _ = print.send(line);
            });
        });
        for _ in 0..3 {
            assert_eq!(
                printed.recv().expect("a line"),
                "pages: 120 of 340 after 0 min"
            );
        }
        drop(end);
        shown.join().expect("it ends with the work");
    }

    #[test]
    fn uncounted_work_has_no_number() {
        let minutes = |n: u64| Duration::from_secs(n * 60 + 1);
        assert_eq!(
            line("learning", 0, None, minutes(1)),
            "learning: after 1 min"
        );
        assert_eq!(line("pages", 7, None, minutes(2)), "pages: 7 after 2 min");
        assert_eq!(
            line("pages", 0, Some(9), minutes(3)),
            "pages: 0 of 9 after 3 min"
        );
    }

    #[test]
    fn the_end_moves_while_work_is_added() {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let progress = WorkProgress { bar, end: None };
        progress.step();
        progress.left(4);
        assert_eq!(progress.bar.length(), Some(5));
        progress.at(2, 9);
        assert_eq!(
            (progress.bar.position(), progress.bar.length()),
            (2, Some(9))
        );
    }
}
