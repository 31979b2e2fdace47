//! Liferea reads an archive by its source for the Google Reader API, on a screen that nobody sees.

use super::new_token;
use crate::needed::program;
use crate::serve::archive::served;
use crate::started::Started;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Time for Liferea to begin, and to ask a server for all.
const WITHIN: Duration = Duration::from_secs(60);

/// Starts a program; gives the first line that it prints.
fn speaking(program: PathBuf, args: &[&str]) -> (Started, String) {
    let mut command = Command::new(program);
    command.args(args).stderr(Stdio::null());
    Started::saying(&mut command, |line| Some(line.trim().to_owned())).expect("a line")
}

/// Liferea, its screen, and the bus by which it is asked.
struct Liferea {
    _app: Started,
    _bus: Started,
    _screen: Started,
    gdbus: PathBuf,
    at: String,
}

impl Liferea {
    /// Liferea with a configuration of its own; `None` where a program is not there.
    fn new(dir: &Path, server: &str, token: &str) -> Option<Liferea> {
        let app = program(&["liferea"], "apt-get install liferea")?;
        let screen = program(&["Xvfb"], "apt-get install xvfb")?;
        let bus = program(&["dbus-daemon"], "apt-get install dbus")?;
        let gdbus = program(&["gdbus"], "apt-get install libglib2.0-bin")?;
        let config = dir.join(".config/liferea");
        fs::create_dir_all(&config).expect("a folder");
        let feeds = format!(
            "<opml version=\"1.0\"><head><title>x</title></head><body><outline title=\"x\" text=\"x\" \
             type=\"source\" id=\"abcdefg\" sourceType=\"fl_google_reader\" xmlUrl=\"http://{server}\" \
             username=\"owner\" password=\"{token}\" updateInterval=\"-1\"/></body></opml>"
        );
        fs::write(config.join("feedlist.opml"), feeds).expect("written");
        let (screen, number) = speaking(screen, &["-displayfd", "1", "-nolisten", "tcp"]);
        let (bus, at) = speaking(bus, &["--session", "--nofork", "--print-address"]);
        let mut command = Command::new(app);
        command
            .env("HOME", dir)
            .env("DISPLAY", format!(":{number}"))
            .env("DBUS_SESSION_BUS_ADDRESS", &at)
            .env("GSETTINGS_BACKEND", "memory")
            .env("NO_AT_BRIDGE", "1")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        for own in [
            "XDG_CONFIG_HOME",
            "XDG_CACHE_HOME",
            "XDG_DATA_HOME",
            "XDG_RUNTIME_DIR",
        ] {
            command.env_remove(own);
        }
        for proxy in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            command.env_remove(proxy).env_remove(proxy.to_lowercase());
        }
        Some(Liferea {
            _app: Started::new(&mut command),
            _bus: bus,
            _screen: screen,
            gdbus,
            at,
        })
    }

    /// The answer to a method of its interface; `None` while it does not answer.
    fn asked(&self, method: &str) -> Option<String> {
        let method = format!("org.gnome.feed.Reader.{method}");
        let answer = Command::new(&self.gdbus)
            .args(["call", "--session", "--dest", "org.gnome.feed.Reader"])
            .args([
                "--object-path",
                "/org/gnome/feed/Reader",
                "--method",
                &method,
            ])
            .env("DBUS_SESSION_BUS_ADDRESS", &self.at)
            .output()
            .expect("it runs");
        let text = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
        answer.status.success().then_some(text)
    }

    /// Waits until it has so many unread entries.
    fn has_unread(&self, count: usize) {
        let expected = format!("({count},)");
        let begun = Instant::now();
        let mut last = None;
        while last.as_deref() != Some(&*expected) {
            assert!(begun.elapsed() < WITHIN, "{last:?} unread, not {count}");
            // It asks for what is new when it is told to.
            self.asked("Refresh");
            last = self.asked("GetUnreadItems");
        }
    }
}

#[test]
fn liferea_reads_an_archive() {
    let (site, user, server) = served();
    let token = new_token(&server, "Liferea");
    let address = server.address.to_string();
    let Some(liferea) = Liferea::new(&user.path("liferea"), &address, &token) else {
        return;
    };
    // It asks whether an entry is read, and compares the answer with a text that no JSON has.
    liferea.has_unread(3);
    site.set(|show| show.items.extend([4, 5]));
    user.round(9, &["--now"]).ends(0, &["2 new articles"]);
    liferea.has_unread(5);
}
