//! The commands that the README and the guides show: the program knows them and their options,
//! and what is shown as their output is their output.

use super::User;
use crate::readme::{inline_code, pages, parts, read, root};
use std::collections::BTreeMap;
use std::path::Path;

/// Commands that have commands of their own.
const GROUPS: [&str; 3] = ["site", "harvest", "archive"];

/// The commands of `forest` in the pages: those of their shells, and those within their text.
fn commands() -> Vec<String> {
    let mut commands = Vec::new();
    for page in pages() {
        let parts = parts(&read(&page)).expect("closed fences");
        let shells = parts.fences.iter().filter(|fence| fence.language == "sh");
        for shell in shells {
            let code = shell.code.replace("\\\n", " ");
            let lines = code.lines().filter_map(|line| line.split(" #").next());
            commands.extend(lines.map(|line| line.trim().to_owned()));
        }
        commands.extend(inline_code(&parts.prose).0.into_iter().map(str::to_owned));
    }
    commands.retain(|command| command.starts_with("forest "));
    commands
}

/// The help of each command that was asked for.
#[derive(Default)]
struct Helps(BTreeMap<String, Option<String>>);

impl Helps {
    /// What the program does not know of a command: the command itself, or an option.
    fn unknown(&mut self, user: &User, command: &str) -> Vec<String> {
        let mut words = command.split_whitespace().skip(1);
        let mut name: Vec<&str> = words.next().into_iter().collect();
        if GROUPS.contains(&name[0]) {
            name.extend(words.clone().next().filter(|word| !word.starts_with('-')));
        }
        let help = self.0.entry(name.join(" ")).or_insert_with(|| {
            let ran = user.run(&[&["help"], &name[..]].concat());
            (ran.code == 0).then_some(ran.out)
        });
        let Some(help) = help else {
            return vec![command.to_owned()];
        };
        let options = words.take_while(|&word| word != "--");
        let options = options.filter(|word| word.starts_with("--"));
        let options = options.map(|word| word.split('=').next().expect("a part"));
        let known: Vec<&str> = help
            .split(|c: char| !(c.is_alphanumeric() || c == '-'))
            .filter(|word| word.starts_with("--"))
            .collect();
        let unknown = options.filter(|option| !known.contains(option));
        unknown
            .map(|option| format!("{command}: {option}"))
            .collect()
    }
}

#[test]
fn the_program_knows_the_commands_that_are_shown() {
    let (user, mut helps) = (User::new(), Helps::default());
    let mut commands = commands();
    assert!(commands.len() > 100, "{commands:#?}");
    // `--ca` is there with its feature only.
    commands.retain(|command| !command.contains(" --ca ") || cfg!(feature = "ca"));
    let unknown = commands
        .iter()
        .flat_map(|command| helps.unknown(&user, command));
    let unknown: Vec<String> = unknown.collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
}

#[test]
fn unknown_commands_and_options_are_found() {
    let (user, mut helps) = (User::new(), Helps::default());
    let mut check = |count, command: &str| {
        let found = helps.unknown(&user, command);
        assert_eq!(found.len(), count, "{command}: {found:?}");
    };
    check(
        0,
        "forest learn https://www.example.org/ --report out/ -- --else",
    );
    check(1, "forest lern https://www.example.org/");
    check(2, "forest learn --no-such-option --reports=out/");
    check(0, "forest site check sites/ --json");
    check(1, "forest site chek sites/ --json");
}

/// Panics unless the lines, the last of which may be `...` for any more, are those of `out`.
fn assert_shown(command: &str, shown: &[&str], out: &str) {
    let out: Vec<&str> = out.lines().collect();
    match shown {
        [lines @ .., "..."] => {
            assert!(out.len() > lines.len(), "{command}: nothing is left out");
            assert_eq!(lines, &out[..lines.len()], "{command}");
        }
        lines => assert_eq!(lines, out, "{command}"),
    }
}

#[test]
fn the_output_that_the_readme_shows_is_its_output() {
    let user = User::new();
    let site = "harbour-gazette.example";
    let copy = |path: &str| user.put(path, std::fs::read(root().join(path)).expect(path));
    copy(&format!("sites/{site}.yaml"));
    for entry in std::fs::read_dir(root().join("gold").join(site)).expect("a folder") {
        let name = entry.expect("an entry").file_name();
        copy(&format!("gold/{site}/{}", name.to_string_lossy()));
    }
    let fences = parts(&read(Path::new("README.md")))
        .expect("closed fences")
        .fences;
    let console = fences.iter().find(|fence| fence.language == "console");
    let sessions = console.expect("a console").code.split("$ ").skip(1);
    let mut ran = Vec::new();
    for session in sessions {
        let lines: Vec<&str> = session.lines().collect();
        let (command, shown) = lines.split_first().expect("a command");
        let args: Vec<&str> = command.split(' ').skip(1).collect();
        assert_shown(command, shown, &user.run(&args).out);
        ran.push(args[0]);
    }
    assert_eq!(ran, ["learn", "apply"]);
}

#[test]
#[should_panic(expected = "forest learn")]
fn other_output_is_found() {
    assert_shown("forest learn", &["a", "..."], "b\nc\n");
}
