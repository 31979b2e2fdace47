//! The command line: arguments, files, exit codes, messages.

mod apply;
mod archive;
mod bad_input;
mod check;
mod clusters;
mod crawl;
mod crunch;
mod earlier;
mod exchange;
mod export;
mod filter;
mod folders;
mod import;
mod import_records;
mod images;
mod learn;
mod list;
mod live;
mod paging;
#[cfg(unix)]
mod pipes;
mod readme;
mod saved;
mod shape;
mod site;
mod text;
mod trial;
mod walls;
mod xss;

use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;

const CONFIG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/config.yaml");

/// A user's folder, with nothing of this machine's settings in it.
struct User {
    dir: TempDir,
}

/// The output of a command, and its exit code.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl User {
    fn new() -> User {
        let dir = tempfile::tempdir().expect("a folder");
        User { dir }
    }

    /// A user with a folder `small.example` of `count` pages.
    fn with_pages(count: usize) -> User {
        let user = User::new();
        for n in 0..count {
            user.put(&format!("small.example/{n}.html"), site::page(n));
        }
        user
    }

    /// A user with such a folder and the wrapper that was learned from it.
    fn with_wrapper(count: usize) -> User {
        let user = User::with_pages(count);
        user.run(&["learn", "small.example"]).ends(0, &[]);
        user
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file of the user's.
    fn put(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(&path, content).expect("written");
        path
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect(name)
    }

    /// The names of the files in a folder, the hidden ones too.
    fn names(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.path(folder)) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .map(|e| e.expect("an entry").file_name().to_string_lossy().into())
            .collect();
        names.sort();
        names
    }

    fn command(&self) -> std::process::Command {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_forest"));
        command
            .current_dir(self.dir.path())
            .env("FOREST_CONFIG", CONFIG)
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("XDG_DATA_HOME", self.path("data"));
        for proxy in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            command.env_remove(proxy).env_remove(proxy.to_lowercase());
        }
        command
    }

    /// Runs `forest` in the user's folder.
    fn run(&self, args: &[&str]) -> Ran {
        ran(self.command().args(args).output().expect("it runs"))
    }

    /// Runs `forest` with this input on stdin.
    fn run_with(&self, args: &[&str], stdin: impl Into<Vec<u8>>) -> Ran {
        let command = self.command();
        let mut command = assert_cmd::Command::from_std(command);
        ran(command
            .args(args)
            .write_stdin(stdin)
            .output()
            .expect("it runs"))
    }
}

fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code().expect("no signal"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

impl Ran {
    /// Checks that the exit code is `code`, and that stderr has all of `parts`.
    #[track_caller]
    fn ends(&self, code: i32, parts: &[&str]) -> &Ran {
        assert_eq!(
            self.code, code,
            "stdout: {}\nstderr: {}",
            self.out, self.err
        );
        for part in parts {
            assert!(self.err.contains(part), "{part:?} is not in: {}", self.err);
        }
        self
    }

    /// The records of JSON lines.
    fn records(&self) -> Vec<serde_json::Value> {
        let lines = self.out.lines();
        lines
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }
}

/// The status of each record, in their order.
fn statuses(records: &[serde_json::Value]) -> Vec<&str> {
    let statuses = records.iter().map(|r| r["status"].as_str());
    statuses.map(|s| s.expect("a status")).collect()
}

/// A site of the project's own gold, as an absolute path.
fn gold(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("gold").join(name).display().to_string()
}

#[test]
fn the_help_has_examples_and_the_exit_codes() {
    let user = User::new();
    let help = user.run(&["--help"]);
    help.ends(0, &[]);
    assert!(help.out.contains("Exit codes:") && help.out.contains("config.yaml"));
    for command in ["learn", "apply", "text", "site", "completions", "man"] {
        let help = user.run(&[command, "--help"]);
        help.ends(0, &[]);
        assert!(help.out.contains("Examples:"), "{command}");
        assert!(
            help.out.contains(&format!("  forest {command}")),
            "{command}"
        );
    }
    for (command, has) in [("eval", 3), ("apply", 2), ("learn", 1)] {
        // The options of all commands, of page by page commands, and of learn.
        let help = user.run(&[command, "--help"]).out;
        let offered =
            ["paper-nodfs", "lqf-old", "sigfeed"].map(|name| help.contains(&format!("{name},")));
        assert_eq!(offered.iter().filter(|o| **o).count(), has, "{help}");
    }
    user.run(&["learn"]).ends(2, &["SOURCE"]);
    user.run(&[]).ends(2, &["Usage"]);
}

#[test]
fn completions_and_manual_pages() {
    let user = User::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = user.run(&["completions", shell]);
        script.ends(0, &[]);
        assert!(script.out.contains("learn"), "{shell}");
        if shell != "powershell" && shell != "elvish" {
            // These options have completions of their values.
            assert!(script.out.contains("tccb-old"), "{shell}");
        }
    }
    let page = user.run(&["man"]);
    page.ends(0, &[]);
    assert!(page.out.contains(".TH forest 1"));
    let page = user.run(&["man", "apply"]);
    page.ends(0, &[]);
    assert!(page.out.contains(".TH forest-apply 1"), "{}", page.out);
    user.run(&["man", "fly"]).ends(2, &["fly", "learn, apply"]);
}

#[test]
fn a_config_file_sets_what_a_user_repeats() {
    let user = User::new();
    user.put("c.yaml", "sites: mine\nformat: text\njobs: 1\n");
    let site = gold("plain-notes.example");
    let learned = user.run(&["learn", &site, "--config", "c.yaml"]);
    learned.ends(0, &[]);
    assert_eq!(user.names("mine"), ["plain-notes.example.yaml"]);
    let applied = user.run(&["apply", &site, "--config", "c.yaml"]);
    applied.ends(0, &[]);
    assert!(!applied.out.starts_with('{'));
    let flag = user.run(&["apply", &site, "--config", "c.yaml", "--format", "jsonl"]);
    assert!(flag.out.starts_with('{'));
    user.put("bad.yaml", "sites: mine\nsitse: other\n");
    let bad = user.run(&["apply", &site, "--config", "bad.yaml"]);
    bad.ends(2, &["bad.yaml", "sitse", "line 2"]);
    user.run(&["apply", &site, "--config", "none.yaml"])
        .ends(2, &["none.yaml"]);
}
