//! A harvest that is watched while it runs: what it says, and how much memory it has.

use super::site::{Event, Site, User};
use crate::started::Started;
use forest_archive::Archive;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Bounds a test that has failed already.
const LONG: Duration = Duration::from_secs(300);

/// When the feed of [`add_at`] was added, and its first round.
pub const AT: &str = "2100-01-02T03:00:00Z";

/// A harvest that is watched.
pub struct Run {
    harvest: Started,
    events: Receiver<Event>,
    reader: std::thread::JoinHandle<()>,
}

impl Run {
    pub fn begin(user: &User, site: &Site, more: &[&str]) -> Run {
        let (sender, events) = channel();
        site.set(|show| {
            show.requests.clear();
            show.events = Some(sender.clone());
        });
        let mut command = user.command(None);
        command.args(user.round_args(AT)).args(more);
        let mut harvest = Started::new(command.stderr(Stdio::piped()));
        let stderr = BufReader::new(harvest.child.stderr.take().expect("piped"));
        let reader = std::thread::spawn(move || {
            for line in stderr.lines() {
                let _ = sender.send(Event::Line(line.expect("UTF-8")));
            }
            let _ = sender.send(Event::End);
        });
        Run {
            harvest,
            events,
            reader,
        }
    }

    /// Kills it at the request with this number, if it comes to that; the addresses that
    /// it reported as stored, and whether it was killed.
    pub fn kill_at(mut self, request: usize) -> (Vec<String>, bool) {
        let (mut stored, mut killed) = (Vec::new(), false);
        loop {
            match self.events.recv_timeout(LONG).expect("it goes on") {
                Event::Requested(n) if n >= request && !killed => {
                    self.harvest.child.kill().expect("it is killed");
                    killed = true;
                }
                Event::Requested(_) => {}
                Event::Line(line) => {
                    stored.extend(line.strip_suffix(": stored").map(str::to_owned))
                }
                Event::End => break,
            }
        }
        self.reader.join().expect("it read all");
        let status = self.harvest.child.wait().expect("it ended");
        // It may have ended by itself just before.
        assert!(status.success() || killed, "{status}");
        (stored, killed && !status.success())
    }
}

/// Adds the feed as of [`AT`], so that two archives are alike to the byte.
pub fn add_at(user: &User, site: &Site) {
    let mut archive =
        Archive::open(&user.store(), forest_harvest::archive_options()).expect("it opens");
    let event = forest_archive::Event::FeedAdded { feed: site.feed() };
    let at = AT.parse().expect("a date");
    let change = forest_archive::ArchiveChange::Event { at, event };
    archive.write(vec![change]).expect("written");
}

/// The memory of a process in kB, files that are mapped into it left out: the system
/// takes those away when it needs to.
fn resident(pid: u32) -> Option<i64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("RssAnon:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// How much memory it has, in kB, after every twentieth page that it stored; empty where
/// the system does not say.
pub fn memory(pages: usize) -> Vec<i64> {
    let (site, user) = (Site::new(pages), User::new());
    add_at(&user, &site);
    let mut run = Run::begin(&user, &site, &["-v"]);
    let (mut stored, mut series) = (0, Vec::new());
    loop {
        match run.events.recv_timeout(LONG).expect("it goes on") {
            Event::Line(line) if line.ends_with(": stored") => {
                stored += 1;
                if stored % 20 == 0 {
                    series.extend(resident(run.harvest.child.id()));
                }
            }
            Event::End => break,
            _ => {}
        }
    }
    assert!(run.harvest.child.wait().expect("it ended").success());
    run.reader.join().expect("it read all");
    assert_eq!(stored, pages);
    series
}
