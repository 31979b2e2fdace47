//! OPML 2.0.

use super::super::opml::Outline;
use super::xml::{Xml, document, empty, nested, one_line, text};
use std::collections::HashMap;

/// Levels of folders that are written; [`read_opml`](crate::feed::read_opml) refuses
/// deeper ones.
const MAX_LEVELS: usize = 60;

/// A list of feeds, each in its folders. A folder stands where the first feed of it does.
///
/// ```
/// use forest_core::feed::{Outline, parse_opml, write::opml};
///
/// let mut outline = Outline::of("https://example.org/feed".parse()?);
/// outline.title = "News & more".to_owned();
/// outline.folders = vec![["Daily".to_owned(), "Sea".to_owned()].into()];
/// let list = opml("Feeds", &[outline.clone()]);
/// assert_eq!(parse_opml(list.as_bytes())?, [outline]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn opml(title: &str, outlines: &[Outline]) -> String {
    let mut root = Level::default();
    for outline in outlines {
        for folder in &outline.folders {
            root.at(folder).inside.push(Inside::Feed(outline));
        }
        if outline.folders.is_empty() {
            root.inside.push(Inside::Feed(outline));
        }
    }
    document(|xml| {
        nested(xml, "opml", &[("version", "2.0")], |xml| {
            nested(xml, "head", &[], |xml| {
                text(xml, "title", &[], &one_line(title));
            });
            nested(xml, "body", &[], |xml| root.write(xml));
        });
    })
}

/// The contents of a folder.
#[derive(Default)]
struct Level<'a> {
    inside: Vec<Inside<'a>>,
    /// Where its folders stand among these.
    folders: HashMap<&'a str, usize>,
}

enum Inside<'a> {
    Folder(&'a str, Level<'a>),
    Feed(&'a Outline),
}

impl<'a> Level<'a> {
    /// The folder with this path; made if it does not exist.
    fn at(&mut self, path: &'a [String]) -> &mut Level<'a> {
        let mut level = self;
        for name in path.iter().take(MAX_LEVELS) {
            let end = level.inside.len();
            let place = *level.folders.entry(name).or_insert(end);
            if place == end {
                level.inside.push(Inside::Folder(name, Level::default()));
            }
            level = match &mut level.inside[place] {
                Inside::Folder(_, next) => next,
                Inside::Feed(_) => unreachable!("a folder stands at a folder's place"),
            };
        }
        level
    }

    /// Goes down as far as there are levels.
    fn write(&self, xml: &mut Xml) {
        for one in &self.inside {
            match one {
                Inside::Folder(name, level) => {
                    let name = one_line(name);
                    let names = [("text", name.as_str()), ("title", &name)];
                    nested(xml, "outline", &names, |xml| level.write(xml));
                }
                Inside::Feed(outline) => feed(xml, outline),
            }
        }
    }
}

fn feed(xml: &mut Xml, outline: &Outline) {
    let title = match one_line(&outline.title) {
        title if title.is_empty() => outline.xml_url.to_string(),
        title => title,
    };
    let mut attributes = vec![
        ("type", "rss"),
        ("text", title.as_str()),
        ("title", &title),
        ("xmlUrl", outline.xml_url.as_str()),
    ];
    attributes.extend(super::web(&outline.html_url).map(|url| ("htmlUrl", url)));
    empty(xml, "outline", &attributes);
}
