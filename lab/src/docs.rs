//! `forest-lab docs`: the tables of the documentation, written by the commands that they name.
//!
//! A page of Markdown has its tables between two comments. The first names a shell command, over
//! one line or several. What the command prints stands before the second: as it is if it has a
//! Markdown table, else in a fence. Variables that several commands use are set in a comment before
//! them. A command that takes longer than seconds is marked `slow`.
//!
//! ```text
//! <!-- with
//! GOLD=../shared/gold/pool/big9
//! -->
//! <!-- $ forest eval $GOLD --overview -->
//! | method | ...
//! <!-- end -->
//! <!-- $ slow: forest-lab clusters ... -->
//! ```

use anyhow::{Context, bail, ensure};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const WITH: &str = "<!-- with";
const COMMAND: &str = "<!-- $";
const SLOW: &str = "slow:";
const CLOSE: &str = "-->";
const END: &str = "<!-- end -->";

/// Write the tables of the documentation by the commands that they name
#[derive(Debug, clap::Args)]
pub struct DocsArgs {
    /// Compare and write nothing; fails if a table is stale.
    #[arg(long)]
    check: bool,
    /// Leave out the commands that are marked as slow.
    #[arg(long)]
    fast: bool,
    /// The command `forest` that is measured [default: the one beside this program].
    #[arg(long, value_name = "FILE")]
    forest: Option<PathBuf>,
    /// Pages [default: README.md and those of docs/].
    #[arg(value_name = "PAGE")]
    pages: Vec<PathBuf>,
}

/// A table of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Table<'a> {
    command: String,
    is_slow: bool,
    /// The variables that are set before it.
    setting: String,
    /// The lines between its comments.
    lines: &'a [&'a str],
    /// The place of the first of these.
    start: usize,
}

/// A table whose command prints something else.
#[derive(Debug, PartialEq, Eq)]
struct StaleTable {
    command: String,
    /// The first line that differs, as it stands and as it is now.
    line: (String, String),
}

/// Runs the commands of all pages.
pub fn run(args: &DocsArgs) -> anyhow::Result<()> {
    let path = search_path(args.forest.as_deref())?;
    let pages = if args.pages.is_empty() {
        all_pages()?
    } else {
        args.pages.clone()
    };
    let (mut tables, mut stale) = (0, 0);
    for page in pages {
        let text = fs::read_to_string(&page).with_context(|| page.display().to_string())?;
        let of_page = || page.display().to_string();
        let print = |table: &Table<'_>| output(table, &path);
        let renewed = renew(&text, args.fast, &print).with_context(of_page)?;
        tables += renewed.tables;
        stale += renewed.stale.len();
        for table in &renewed.stale {
            let (before, now) = &table.line;
            println!("{}: {}\n- {before}\n+ {now}", page.display(), table.command);
        }
        if !args.check && renewed.text != text {
            fs::write(&page, renewed.text).with_context(of_page)?;
        }
    }
    println!("{tables} tables, {stale} stale");
    ensure!(
        !args.check || stale == 0,
        "run `forest-lab docs` to write them"
    );
    Ok(())
}

fn all_pages() -> anyhow::Result<Vec<PathBuf>> {
    let mut pages = vec![PathBuf::from("README.md")];
    for entry in fs::read_dir("docs").context("run it in the project's root")? {
        pages.push(entry?.path());
    }
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    Ok(pages)
}

/// The `PATH` by which commands find `forest` and `forest-lab`.
fn search_path(forest: Option<&Path>) -> anyhow::Result<OsString> {
    let own = env::current_exe()?;
    let mut folders = Vec::new();
    for program in forest.into_iter().chain([own.as_path()]) {
        let folder = program.parent().context("a program in a folder")?;
        folders.push(
            folder
                .canonicalize()
                .with_context(|| folder.display().to_string())?,
        );
    }
    let forest = folders[0].join("forest");
    ensure!(
        forest.exists(),
        "{} is not there: `cargo build --release`",
        forest.display()
    );
    folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    Ok(env::join_paths(folders)?)
}

/// The lines that a table's command prints, as Markdown.
fn output(table: &Table<'_>, path: &OsString) -> anyhow::Result<Vec<String>> {
    let mut shell = Command::new("bash");
    shell.args([
        "-euo",
        "pipefail",
        "-c",
        &format!("{}{}", table.setting, table.command),
    ]);
    let done = shell.env("PATH", path).output().context("bash")?;
    let failure = String::from_utf8_lossy(&done.stderr);
    ensure!(
        done.status.success(),
        "`{}` failed: {failure}",
        table.command
    );
    let text = String::from_utf8(done.stdout).context("its output is not UTF-8")?;
    ensure!(
        !text.trim().is_empty(),
        "`{}` prints nothing",
        table.command
    );
    let lines: Vec<String> = text.trim_end().lines().map(str::to_owned).collect();
    if lines.iter().any(|line| line.starts_with('|')) {
        return Ok(lines);
    }
    let (first, last) = (["```text".to_owned()], ["```".to_owned()]);
    Ok(first.into_iter().chain(lines).chain(last).collect())
}

/// A page with its tables written anew.
#[derive(Debug)]
struct RenewedPage {
    text: String,
    /// The number of tables whose commands were run.
    tables: usize,
    stale: Vec<StaleTable>,
}

fn renew(
    text: &str,
    is_fast: bool,
    print: &dyn Fn(&Table<'_>) -> anyhow::Result<Vec<String>>,
) -> anyhow::Result<RenewedPage> {
    let lines: Vec<&str> = text.lines().collect();
    let mut new: Vec<String> = Vec::with_capacity(lines.len());
    let mut renewed = RenewedPage {
        text: String::new(),
        tables: 0,
        stale: Vec::new(),
    };
    let mut taken = 0;
    for table in tables(&lines)? {
        new.extend(lines[taken..table.start].iter().map(ToString::to_string));
        taken = table.start + table.lines.len();
        if is_fast && table.is_slow {
            new.extend(table.lines.iter().map(ToString::to_string));
            continue;
        }
        let now = print(&table)?;
        renewed.tables += 1;
        renewed.stale.extend(first_difference(&table, &now));
        new.extend(now);
    }
    new.extend(lines[taken..].iter().map(ToString::to_string));
    renewed.text = new.join("\n") + "\n";
    Ok(renewed)
}

fn first_difference(table: &Table<'_>, now: &[String]) -> Option<StaleTable> {
    let most = table.lines.len().max(now.len());
    let at = |place: usize| {
        let before = table.lines.get(place).copied().unwrap_or_default();
        let now = now.get(place).cloned().unwrap_or_default();
        (before.to_owned(), now)
    };
    let line = (0..most).map(at).find(|(before, now)| before != now)?;
    Some(StaleTable {
        command: table.command.clone(),
        line,
    })
}

/// The tables of a page, outside of its fences.
fn tables<'a>(lines: &'a [&'a str]) -> anyhow::Result<Vec<Table<'a>>> {
    let (mut found, mut setting) = (Vec::new(), String::new());
    let (mut at, mut in_fence) = (0, false);
    while let Some(line) = lines.get(at) {
        in_fence ^= line.starts_with("```");
        let opened = [WITH, COMMAND].into_iter().find_map(|open| {
            let rest = line.strip_prefix(open).filter(|_| !in_fence)?;
            Some((open, rest))
        });
        let Some((open, rest)) = opened else {
            at += 1;
            continue;
        };
        let (comment, behind) = comment(rest, &lines[at + 1..])
            .with_context(|| format!("line {}: the comment has no end", at + 1))?;
        at += 1 + behind;
        if open == WITH {
            setting.push_str(&comment);
            setting.push('\n');
            continue;
        }
        let length = lines[at..].iter().position(|line| *line == END);
        let Some(length) = length else {
            bail!("line {at}: no {END} behind `{comment}`");
        };
        let command = comment.strip_prefix(SLOW);
        found.push(Table {
            is_slow: command.is_some(),
            command: command.unwrap_or(&comment).trim().to_owned(),
            setting: setting.clone(),
            lines: &lines[at..at + length],
            start: at,
        });
        at += length + 1;
    }
    Ok(found)
}

/// A comment that goes on after its opening with `rest` and then the next lines: its text, and the
/// number of these lines.
fn comment(rest: &str, next: &[&str]) -> Option<(String, usize)> {
    if let Some(text) = rest.strip_suffix(CLOSE) {
        return Some((text.trim().to_owned(), 0));
    }
    let end = next.iter().position(|line| line.ends_with(CLOSE))?;
    let last = next[end].strip_suffix(CLOSE).unwrap_or_default();
    let lines = [rest]
        .into_iter()
        .chain(next[..end].iter().copied())
        .chain([last]);
    let text: Vec<&str> = lines
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    Some((text.join("\n"), end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A page\n\n<!-- with\nN=3\n-->\ntext\n\
        <!-- $ seq $N -->\n```text\n1\n2\n3\n```\n<!-- end -->\n\
        <!-- $ slow:\nprintf '## A\\n\\n| a |\\n| --- |\\n'\nprintf '| %s |\\n' $N\n-->\n## A\n\n| a |\n| --- |\n| 2 |\n<!-- end -->\n\
        ```text\n<!-- $ in a fence -->\n```\nend\n";

    fn renewed(page: &str, is_fast: bool) -> anyhow::Result<RenewedPage> {
        let path = env::var_os("PATH").expect("a PATH");
        renew(page, is_fast, &|table| output(table, &path))
    }

    #[test]
    fn a_stale_table_is_named_and_written_anew() {
        let found = renewed(PAGE, false).expect("tables");
        assert_eq!(found.tables, 2);
        let [stale] = found.stale.as_slice() else {
            panic!("{:?}", found.stale);
        };
        assert!(stale.command.contains("printf"));
        assert_eq!(stale.line, ("| 2 |".to_owned(), "| 3 |".to_owned()));
        assert_eq!(found.text, PAGE.replace("| 2 |", "| 3 |"));
        let again = renewed(&found.text, false).expect("tables");
        assert_eq!((again.stale.len(), &again.text), (0, &found.text));
    }

    #[test]
    fn slow_tables_can_be_left_out() {
        let found = renewed(PAGE, true).expect("tables");
        assert_eq!(
            (found.tables, found.stale.len(), &*found.text),
            (1, 0, PAGE)
        );
    }

    #[test]
    fn more_lines_and_fewer_are_stale() {
        for lines in ["1\n2", "1\n2\n3\n4", ""] {
            let page = PAGE.replace("1\n2\n3", lines);
            let found = renewed(&page, true).expect("tables");
            assert_eq!((found.stale.len(), &*found.text), (1, PAGE));
        }
    }

    #[test]
    fn commands_that_fail_or_print_nothing_are_errors() {
        for command in ["false", "true", "seq 3 | false", "echo $UNSET"] {
            let page = format!("<!-- $ {command} -->\n<!-- end -->\n");
            let error = renewed(&page, false).expect_err(command);
            assert!(error.to_string().contains(command), "{error}");
        }
    }

    #[test]
    fn comments_without_an_end_are_errors() {
        for page in [
            "<!-- $ seq 3\n",
            "<!-- with\nN=3\n",
            "<!-- $ seq 3 -->\n1\n",
        ] {
            assert!(renewed(page, false).is_err(), "{page}");
        }
    }
}
