//! How far work has come that takes longer than two seconds: a bar on a terminal, a line
//! a minute in a log, and nothing for who asked for neither.

use super::global::{Global, GlobalArgs, TARGET, print_line};
use super::log::Log;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// What takes longer than this gets a bar.
const PATIENCE: Duration = Duration::from_secs(2);

/// Time between two drawings of a bar on which nothing happens.
const TICK: Duration = Duration::from_millis(200);

/// Time between two lines in a log.
const MINUTE: Duration = Duration::from_secs(60);

/// Of work whose steps are known.
const BAR: &str = "{msg} {wide_bar} {pos}/{len} {eta}";

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shows {
    /// A bar, on a terminal.
    Bar,
    /// A line a minute.
    Lines(Log),
    Nothing,
}

impl Shows {
    /// What the flags ask for.
    pub fn of(args: &GlobalArgs, is_terminal: bool) -> Shows {
        let log = args.log();
        match (args.quiet, is_terminal, log) {
            (true, ..) => Shows::Nothing,
            (false, true, Log::Text) => Shows::Bar,
            _ if args.verbose > 0 || args.log.is_some() => Shows::Lines(log),
            _ => Shows::Nothing,
        }
    }
}

/// How far something has come; what shows it is gone when this is dropped.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// Its end wakes the thread that shows it.
    done: Option<Sender<()>>,
}

impl Progress {
    pub(super) fn begin(
        global: &Global,
        what: &'static str,
        steps: Option<u64>,
        uncounted: &'static str,
    ) -> Progress {
        let bar = ProgressBar::with_draw_target(steps, ProgressDrawTarget::hidden());
        styled(&bar, steps.map_or(uncounted, |_| BAR));
        bar.set_message(what);
        let show = match global.shows {
            Shows::Nothing => return Progress { bar, done: None },
            Shows::Bar => {
                let bars = global.bars.clone();
                show_bar(bars, bar.clone(), PATIENCE)
            }
            Shows::Lines(log) => show_lines(bar.clone(), MINUTE, move |line| tell(log, &line)),
        };
        let (done, wait) = channel();
        std::thread::spawn(move || show(wait));
        Progress {
            bar,
            done: Some(done),
        }
    }

    /// One step more.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// So many steps of so many are done.
    #[cfg_attr(not(feature = "archive"), allow(dead_code))]
    pub fn at(&self, done: u64, all: u64) {
        self.expect(all);
        self.bar.set_position(done);
    }

    /// So many steps are left, as far as is known now.
    #[cfg_attr(not(all(feature = "net", feature = "archive")), allow(dead_code))]
    pub fn left(&self, steps: u64) {
        self.expect(self.bar.position() + steps);
    }

    #[cfg_attr(not(feature = "archive"), allow(dead_code))]
    fn expect(&self, all: u64) {
        if self.bar.length().is_none() {
            styled(&self.bar, BAR);
        }
        self.bar.set_length(all);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.done = None;
        self.bar.finish_and_clear();
    }
}

fn styled(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
}

/// Draws a bar after a while.
fn show_bar(bars: MultiProgress, bar: ProgressBar, patience: Duration) -> Show {
    Box::new(move |done| {
        if done.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
            bars.add(bar).enable_steady_tick(TICK);
        }
    })
}

/// Tells how far it is, again and again.
fn show_lines(bar: ProgressBar, pause: Duration, tell: impl Fn(String) + Send + 'static) -> Show {
    Box::new(move |done| {
        while done.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
            tell(line(
                &bar.message(),
                bar.position(),
                bar.length(),
                bar.elapsed(),
            ));
        }
    })
}

/// Shows progress until the channel ends.
type Show = Box<dyn FnOnce(Receiver<()>) + Send>;

/// `pages: 120 of 340 after 2 min`.
fn line(what: &str, done: u64, all: Option<u64>, elapsed: Duration) -> String {
    let count = match (done, all) {
        (0, None) => String::new(),
        (done, None) => format!(" {done}"),
        (done, Some(all)) => format!(" {done} of {all}"),
    };
    format!("{what}:{count} after {} min", elapsed.as_secs() / 60)
}

fn tell(log: Log, line: &str) {
    match log {
        Log::Text => print_line(line),
        Log::Json => tracing::info!(target: TARGET, "{line}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        global: GlobalArgs,
    }

    #[test]
    fn a_bar_is_for_a_terminal_and_lines_for_who_wants_a_log() {
        let check = |flags: &[&str], is_terminal, expected| {
            let args = [&["forest"], flags].concat();
            let line = Line::try_parse_from(args).expect("flags");
            assert_eq!(Shows::of(&line.global, is_terminal), expected, "{flags:?}");
        };
        check(&[], true, Shows::Bar);
        check(&["-v"], true, Shows::Bar);
        check(&["--log", "text"], true, Shows::Bar);
        check(&["--quiet"], true, Shows::Nothing);
        check(&["--log", "json"], true, Shows::Lines(Log::Json));
        check(&[], false, Shows::Nothing);
        check(&["-v"], false, Shows::Lines(Log::Text));
        check(&["--log", "text"], false, Shows::Lines(Log::Text));
        check(&["--log", "json", "-q"], false, Shows::Nothing);
    }

    #[test]
    fn a_log_is_told_again_and_again_until_the_work_is_done() {
        let bar = ProgressBar::with_draw_target(Some(340), ProgressDrawTarget::hidden());
        bar.set_message("pages");
        bar.set_position(120);
        let (tell, told) = channel();
        let show = show_lines(bar, Duration::ZERO, move |line| {
            // The test may have ended.
            let _ = tell.send(line);
        });
        let (done, wait) = channel();
        let shown = std::thread::spawn(move || show(wait));
        for _ in 0..3 {
            assert_eq!(
                told.recv().expect("a line"),
                "pages: 120 of 340 after 0 min"
            );
        }
        drop(done);
        shown.join().expect("it ends with the work");
    }

    #[test]
    fn what_nobody_counts_has_no_number() {
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
    fn the_end_moves_while_more_comes() {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let progress = Progress { bar, done: None };
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
