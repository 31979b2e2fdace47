//! The forms of a feed's page: takes their fields; gives the change of the feed that they ask for,
//! or the field that is wrong, and why.

use super::field::{FieldFault, TextField};
use crate::error::Result;
use chrono::{DateTime, Utc};
use forest_archive::{Event, FeedRow};
use forest_core::feed::ItemRules;
use forest_harvest::FeedStore;
use forest_harvest::inputs::folder_path;
use forest_web::form_fields::FormFields;

/// Characters of a title.
const TITLE_CHARS: usize = 1000;

/// Folders of a feed.
pub const MAX_FOLDERS: usize = 20;

/// Characters of a folder, with those around it.
const FOLDER_CHARS: usize = 300;

/// Patterns of a rule, and characters of each.
const PATTERNS: usize = 100;
const PATTERN_CHARS: usize = 500;

/// Words of an article that a rule may ask for.
const MAX_LEAST_WORDS: usize = 100_000;

/// Megabytes of pictures that a rule may ask for.
const MAX_IMAGE_BUDGET_MB: u64 = 1_000_000;

/// The field for the room of a feed's pictures.
pub(super) const IMAGE_BUDGET: TextField = TextField {
    name: "image_budget",
    label: "Room for its pictures, in megabytes for 30 days",
    hint: "Such as 50; 0: no pictures are stored. Empty: what the harvest was started with, 200 by default.",
    lines: 1,
};

/// A change of a feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FeedChange {
    /// Another title, and other folders.
    Listed {
        title: String,
        folders: Vec<Vec<String>>,
    },
    Rules(ItemRules),
    /// It rests, or goes on.
    Paused(bool),
    /// It is polled at once.
    Poll,
}

impl FeedChange {
    /// The change that a form asks for, of a feed as it is; `None`: there is no such form.
    pub(super) fn read(
        sent: &FormFields,
        row: &FeedRow,
    ) -> Option<std::result::Result<FeedChange, FieldFault>> {
        Some(match sent.get("action") {
            "list" => listed(sent, row),
            "rules" => rules(sent).map(FeedChange::Rules),
            "pause" => Ok(FeedChange::Paused(true)),
            "resume" => Ok(FeedChange::Paused(false)),
            "poll" => Ok(FeedChange::Poll),
            _ => return None,
        })
    }

    /// Stores the change, and makes it in `row`, which a harvest that runs changes a moment later.
    pub(super) fn store(
        self,
        store: &mut FeedStore,
        row: &mut FeedRow,
        now: DateTime<Utc>,
    ) -> Result<()> {
        let feed = row.url.clone();
        match self {
            FeedChange::Listed { title, folders } => {
                store.write(row.listed(title.clone(), folders.clone()), now)?;
                (row.listed_title, row.folders) = (title, folders);
            }
            FeedChange::Rules(rules) => {
                row.rules = rules.clone();
                store.write(Event::FeedRules { feed, rules }, now)?;
            }
            FeedChange::Paused(paused) => {
                store.write(Event::FeedPaused { feed, paused }, now)?;
                row.state = if paused { "paused" } else { "active" }.to_owned();
            }
            FeedChange::Poll => {
                store.poll_now(&feed, now)?;
                row.poll.next = Some(now);
            }
        }
        Ok(())
    }
}

fn listed(sent: &FormFields, row: &FeedRow) -> std::result::Result<FeedChange, FieldFault> {
    let title = sent.get("title").trim();
    if title.chars().count() > TITLE_CHARS {
        return Err(FieldFault::of(
            "title",
            "a title has 1,000 characters at most",
        ));
    }
    let typed: Vec<&str> = lines(sent.get("folders")).collect();
    if typed.len() > MAX_FOLDERS || typed.iter().any(|line| line.chars().count() > FOLDER_CHARS) {
        let why = "a feed has 20 folders at most, each of 300 characters";
        return Err(FieldFault::of("folders", why));
    }
    // A name with a slash in it stays one name.
    let known = |line: &str| row.folders.iter().find(|path| path.join("/") == line);
    let path = |line: &str| known(line).cloned().unwrap_or_else(|| folder_path(line));
    let mut folders: Vec<Vec<String>> = Vec::new();
    for folder in typed.into_iter().map(path) {
        if !folder.is_empty() && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    Ok(FeedChange::Listed {
        title: title.to_owned(),
        folders,
    })
}

fn rules(sent: &FormFields) -> std::result::Result<ItemRules, FieldFault> {
    let section = sent.get("section").trim();
    let is_path = section.is_empty() || section.starts_with('/');
    if !is_path || section.chars().count() > PATTERN_CHARS {
        return Err(FieldFault::of("section", "give a path, such as /news/"));
    }
    let words = sent.get("least_words").trim();
    let least_words = match words {
        "" => 0,
        words => words
            .parse()
            .ok()
            .filter(|words| *words <= MAX_LEAST_WORDS)
            .ok_or(FieldFault::of("least_words", "give a number, such as 80"))?,
    };
    Ok(ItemRules {
        titles: patterns(sent, "titles")?,
        addresses: patterns(sent, "addresses")?,
        section: Some(section.to_owned()).filter(|section| !section.is_empty()),
        least_words: Some(least_words).filter(|words| *words > 0),
        image_budget_mb: image_budget_mb(sent)?,
    })
}

/// The room of a feed's pictures; `None` if the field is empty.
pub(super) fn image_budget_mb(sent: &FormFields) -> std::result::Result<Option<u64>, FieldFault> {
    let typed = sent.get(IMAGE_BUDGET.name).trim();
    if typed.is_empty() {
        return Ok(None);
    }
    let megabytes = typed.parse().ok();
    let megabytes = megabytes.filter(|megabytes| *megabytes <= MAX_IMAGE_BUDGET_MB);
    let why = "give a number of megabytes, such as 50";
    (megabytes.map(Some)).ok_or(FieldFault::of(IMAGE_BUDGET.name, why))
}

fn patterns(sent: &FormFields, name: &'static str) -> std::result::Result<Vec<String>, FieldFault> {
    let typed: Vec<&str> = lines(sent.get(name)).collect();
    if typed.len() > PATTERNS
        || typed
            .iter()
            .any(|line| line.chars().count() > PATTERN_CHARS)
    {
        let why = "give 100 lines at most, each of 500 characters";
        return Err(FieldFault::of(name, why));
    }
    let patterns = typed.into_iter().map(|line| {
        let pattern = ItemRules::pattern(line).map(str::to_owned);
        pattern.ok_or(FieldFault::of(
            name,
            "a line of * alone would skip everything",
        ))
    });
    patterns.collect()
}

/// The lines of a field that say something.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> std::result::Result<FeedChange, FieldFault> {
        let row = FeedRow {
            folders: vec![vec!["A/B".to_owned()]],
            ..FeedRow::default()
        };
        FeedChange::read(&FormFields::read(body.as_bytes()), &row).expect("a form")
    }

    #[test]
    fn folders_are_lines_and_a_known_name_keeps_its_slash() {
        let change =
            read("action=list&title=+Mine+&folders=A%2FB%0D%0ANews+%2F+Sea%0A%0ANews%2FSea");
        let folders = vec![
            vec!["A/B".to_owned()],
            vec!["News".to_owned(), "Sea".to_owned()],
        ];
        let title = "Mine".to_owned();
        assert_eq!(change, Ok(FeedChange::Listed { title, folders }));
    }

    #[test]
    fn rules_are_those_of_the_command() {
        let change = read(
            "action=rules&titles=+sponsored+%0A&addresses=%2Fvideo%2F&section=%2Fnews%2F&least_words=80&image_budget=+50+",
        );
        let rules = ItemRules {
            titles: vec!["sponsored".to_owned()],
            addresses: vec!["/video/".to_owned()],
            section: Some("/news/".to_owned()),
            least_words: Some(80),
            image_budget_mb: Some(50),
        };
        assert_eq!(change, Ok(FeedChange::Rules(rules)));
        let none = read("action=rules&least_words=0");
        assert_eq!(none, Ok(FeedChange::Rules(ItemRules::default())));
    }

    #[test]
    fn a_wrong_field_is_named() {
        let check = |body: &str, field: &str| {
            let fault = read(body).expect_err("a fault");
            assert_eq!(fault.field(), field, "{body}");
        };
        check(&format!("action=list&title={}", "x".repeat(1001)), "title");
        check(
            &format!("action=list&folders={}", "x".repeat(301)),
            "folders",
        );
        check(
            &format!("action=list&folders={}", "x%0A".repeat(21)),
            "folders",
        );
        check("action=rules&titles=a%0A**", "titles");
        check(
            &format!("action=rules&addresses={}", "x".repeat(501)),
            "addresses",
        );
        check("action=rules&section=news", "section");
        for words in ["-1", "x", "100001", "1.5"] {
            check(&format!("action=rules&least_words={words}"), "least_words");
        }
        for budget in ["-1", "x", "1000001", "0.5"] {
            check(
                &format!("action=rules&image_budget={budget}"),
                "image_budget",
            );
        }
        assert!(FeedChange::read(&FormFields::read(b"action=x"), &FeedRow::default()).is_none());
    }
}
