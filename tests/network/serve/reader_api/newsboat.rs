//! newsboat reads an archive by its source for FeedHQ: it logs in, reads, and marks as read.

use super::{App, new_token};
use crate::harvest_cli::site::User;
use crate::needed::program;
use crate::serve::Running;
use crate::serve::archive::served;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// newsboat with a configuration of its own.
pub struct Newsboat {
    program: PathBuf,
    dir: PathBuf,
}

impl Newsboat {
    pub fn new(program: PathBuf, user: &User, server: &Running, token: &str) -> Newsboat {
        let dir = user.path("newsboat");
        fs::create_dir(&dir).expect("a folder");
        let config = format!(
            "urls-source \"feedhq\"\nfeedhq-url \"http://{}\"\nfeedhq-login \"owner\"\n\
             feedhq-password \"{token}\"\nfeedhq-show-special-feeds no\nfeedhq-flag-star \"s\"\n",
            server.address
        );
        fs::write(dir.join("config"), config).expect("written");
        fs::write(dir.join("urls"), "").expect("written");
        Newsboat { program, dir }
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.dir)
            .env("HOME", &self.dir)
            .env("TERM", "xterm")
            .stdin(Stdio::null());
        for proxy in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            command.env_remove(proxy).env_remove(proxy.to_lowercase());
        }
        command
    }

    const FILES: [&str; 6] = ["-C", "config", "-u", "urls", "-c", "cache.db"];

    /// Does one thing without its screen; gives what it prints.
    fn does(&self, what: &str) -> String {
        let mut command = self.command(&self.program);
        let done = command.args(Self::FILES).args(["-x", what]).output();
        let done = done.expect("it runs");
        assert!(done.status.success(), "{done:?}");
        String::from_utf8(done.stdout).expect("UTF-8")
    }

    /// The number of unread entries of a newsboat that has nothing yet.
    pub fn unread(&self) -> String {
        let _ = fs::remove_file(self.dir.join("cache.db"));
        self.does("reload");
        self.does("print-unread").trim().to_owned()
    }

    /// Types keys on its screen, which `terminal` gives it.
    pub fn types(&self, terminal: &Path, keys: &str) {
        fs::write(self.dir.join("keys"), keys).expect("written");
        let keys = File::open(self.dir.join("keys")).expect("a file");
        let line = format!("{} {}", self.program.display(), Self::FILES.join(" "));
        let mut command = self.command(terminal);
        let ran = command.args(["-qec", &line, "/dev/null"]).stdin(keys);
        let ran = ran.output().expect("it runs");
        assert!(ran.status.success(), "{ran:?}");
    }
}

#[test]
fn newsboat_reads_an_archive_and_marks_it() {
    let (newsboat, script) = (
        program(&["newsboat"], "apt-get install newsboat"),
        program(&["script"], "apt-get install bsdutils"),
    );
    let (Some(newsboat), Some(script)) = (newsboat, script) else {
        return;
    };
    let (_site, user, server) = served();
    let token = new_token(&server, "newsboat");
    let newsboat = Newsboat::new(newsboat, &user, &server, &token);
    let app = App::new(&server);
    assert_eq!(newsboat.unread(), "3 unread articles");
    // Marked here, it is read there.
    let read = "user/-/state/com.google/read";
    app.change("api/0/edit-tag", &[("i", &app.unread()[1]), ("a", read)]);
    assert_eq!(newsboat.unread(), "2 unread articles");
    // The first article is opened there, and is read here.
    newsboat.types(&script, "\r\rqqq");
    assert_eq!(app.unread().len(), 1);
    newsboat.types(&script, "Aq");
    assert_eq!(app.unread().len(), 0);
    assert_eq!(newsboat.unread(), "0 unread articles");
}
