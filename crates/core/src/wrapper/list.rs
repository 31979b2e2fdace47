//! Wrappers of lists: the expressions that select the items of a page that lists articles.
//!
//! A site without a feed has pages that list its articles, with one template for each item.
//! Such a wrapper is a file of its own, `<site>.list.yaml`, told by its line `kind: list`. Its
//! expression `item` is applied to the page; those of the fields have an item as their context
//! node and are tried in order. `extract::list` applies it.

use super::DateField;
use super::format::{LIST_LINE, fields_only, is_edited, is_list, read_file, written};
use super::xpath::XPath;
use crate::error::{Error, ErrorKind, Result};
use crate::yaml::read_yaml;
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::path::Path;

/// The version of the format of list wrappers.
const LIST_FORMAT: u32 = 1;

/// The wrapper of a list of articles.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListWrapper {
    /// Host of the list's pages, with the port where it is not the default.
    pub site: String,
    /// Addresses of pages that hold the list, the first the one to poll.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<String>,
    /// When it was learned, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learned: Option<String>,
    /// Program and version that learned it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Where the items stand in the page's own JSON: it is made a page with an element for each
    /// record, to which all expressions but `next` are applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json: Option<ListRecords>,
    /// XPath expression of the items; of two nested ones the outer is an item.
    pub item: String,
    /// Of an item's link: an element with `href`, or an attribute; the item itself, if it is
    /// a link, where there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub link: Vec<String>,
    /// Of its title; the link's text where there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub title: Vec<String>,
    /// Of its date.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub date: Vec<DateField>,
    /// XPath expression, of the page, of headings whose year or month holds for the items
    /// below: it completes their dates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<String>,
    /// Of its summary.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub summary: Vec<String>,
    /// Of its picture: an element that is or holds an `img`, or an attribute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub image: Vec<String>,
    /// Of its authors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub author: Vec<String>,
    /// Further items, made in another way, with expressions of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<ListBlock>,
    /// XPath expressions, of the page, of what is left out: items in it and text of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strip: Vec<String>,
    /// XPath expression, of the page, of the link to the list's next page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<ListEvidence>,
}

/// The records of a page's JSON that are the items of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListRecords {
    /// The script, named as in [`JsonPlace`](forest_html::page::JsonPlace).
    pub script: String,
    /// The path of each record, a JSON Pointer in which `*` stands for any index.
    pub path: String,
    /// The address of a record's article, if the record has only a name (`slug`, `id`) for it:
    /// `{}` stands for the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}

/// Items of a list that are made in one way: the expressions as in [`ListWrapper`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListBlock {
    /// Of the items.
    pub item: String,
    /// Of an item's link.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub link: Vec<String>,
    /// Of its title.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub title: Vec<String>,
    /// Of its date.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub date: Vec<DateField>,
    /// Of its summary.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub summary: Vec<String>,
    /// Of its picture.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub image: Vec<String>,
    /// Of its authors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub author: Vec<String>,
}

/// Why these are the items.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListEvidence {
    /// The number of items on each snapshot of the sample.
    pub items: Vec<usize>,
    /// The score by which it was chosen.
    pub score: f64,
    /// Items with a title, of all snapshots.
    pub titled: usize,
    /// Items with a date.
    pub dated: usize,
    /// Items of the last snapshot that the one before has not; absent with one snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<usize>,
    /// The list that came second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<ListRunnerUp>,
}

/// The list that came second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListRunnerUp {
    /// Its items.
    pub item: String,
    /// Its score.
    pub score: f64,
}

/// A list's wrapper as it was read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ListWrapperFile {
    /// The wrapper.
    pub wrapper: ListWrapper,
    /// The file is not as it was written: its digest is absent or another.
    pub edited: bool,
}

impl ListWrapperFile {
    /// The file at `path`, which the caller has opened, and its text; `None` if there is no
    /// such file.
    ///
    /// # Errors
    ///
    /// As for [`WrapperFile::read`](super::WrapperFile::read).
    pub fn read(
        path: &Path,
        opened: io::Result<impl Read>,
    ) -> Result<Option<(ListWrapperFile, String)>> {
        read_file(path, opened, ListWrapper::from_yaml)
    }
}

#[derive(Deserialize)]
struct ListVersion {
    format: Option<u32>,
}

#[derive(Serialize)]
struct VersionedList<'a> {
    format: u32,
    kind: &'static str,
    #[serde(flatten)]
    wrapper: &'a ListWrapper,
}

impl ListWrapper {
    /// True if a text is a list's wrapper, not that of articles.
    pub fn is_in(text: &str) -> bool {
        is_list(text)
    }

    /// Reads a list's wrapper file.
    ///
    /// # Errors
    ///
    /// If the text is not YAML of this format, names a key that the format does not have, is of
    /// another version or another kind, or holds an expression that is no XPath.
    pub fn from_yaml(text: &str) -> Result<ListWrapperFile> {
        let fail = |reason: String| -> Error { ErrorKind::WrapperFile { reason }.into() };
        if !ListWrapper::is_in(text) {
            let reason = format!("no `{LIST_LINE}` line: it is not the wrapper of a list");
            return Err(fail(reason));
        }
        let version: ListVersion = read_yaml(text).map_err(|e| fail(e.to_string()))?;
        if version.format != Some(LIST_FORMAT) {
            return Err(fail(format!(
                "this version reads lists of `format: {LIST_FORMAT}`: use a newer forest, or learn \
                 the list again"
            )));
        }
        let yaml = fields_only(text).replace(LIST_LINE, "#");
        let wrapper: ListWrapper = read_yaml(&yaml).map_err(|e| fail(e.to_string()))?;
        wrapper.compile()?;
        Ok(ListWrapperFile {
            wrapper,
            edited: is_edited(text),
        })
    }

    /// The wrapper as YAML, with the digest of its own content.
    pub fn to_yaml(&self) -> String {
        written(&VersionedList {
            format: LIST_FORMAT,
            kind: "list",
            wrapper: self,
        })
    }

    /// The items that its own expressions describe, without those of [`blocks`](Self::blocks).
    pub fn own_block(&self) -> ListBlock {
        ListBlock {
            item: self.item.clone(),
            link: self.link.clone(),
            title: self.title.clone(),
            date: self.date.clone(),
            summary: self.summary.clone(),
            image: self.image.clone(),
            author: self.author.clone(),
        }
    }

    /// Compiles the expressions.
    ///
    /// # Errors
    ///
    /// If one is no XPath 1.0.
    pub fn compile(&self) -> Result<ListMatcher> {
        let one = |xpath: &Option<String>| xpath.as_deref().map(XPath::parse).transpose();
        let own = self.own_block();
        let blocks = [&own].into_iter().chain(&self.blocks);
        Ok(ListMatcher {
            blocks: blocks.map(BlockMatcher::of).collect::<Result<_>>()?,
            period: one(&self.period)?,
            strip: all(&self.strip)?,
            next: one(&self.next)?,
        })
    }

    /// True if it selects what `other` does: their evidence and dates do not count.
    pub fn says_the_same(&self, other: &ListWrapper) -> bool {
        let bare = |of: &ListWrapper| ListWrapper {
            learned: None,
            by: None,
            evidence: None,
            ..of.clone()
        };
        bare(self) == bare(other)
    }
}

fn all(expressions: &[String]) -> Result<Vec<XPath>> {
    expressions.iter().map(|x| XPath::parse(x)).collect()
}

/// A list's wrapper with its expressions compiled.
#[derive(Debug, Clone)]
pub struct ListMatcher {
    /// Never empty; the wrapper's own items first.
    pub blocks: Vec<BlockMatcher>,
    pub period: Option<XPath>,
    pub strip: Vec<XPath>,
    pub next: Option<XPath>,
}

/// The expressions of a [`ListBlock`], compiled.
#[derive(Debug, Clone)]
pub struct BlockMatcher {
    pub item: XPath,
    pub link: Vec<XPath>,
    pub title: Vec<XPath>,
    pub date: Vec<(XPath, Option<String>)>,
    pub summary: Vec<XPath>,
    pub image: Vec<XPath>,
    pub author: Vec<XPath>,
}

impl BlockMatcher {
    fn of(block: &ListBlock) -> Result<BlockMatcher> {
        let date = |field: &DateField| Ok((XPath::parse(&field.xpath)?, field.format.clone()));
        Ok(BlockMatcher {
            item: XPath::parse(&block.item)?,
            link: all(&block.link)?,
            title: all(&block.title)?,
            date: block.date.iter().map(date).collect::<Result<_>>()?,
            summary: all(&block.summary)?,
            image: all(&block.image)?,
            author: all(&block.author)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Wrapper;
    use super::*;

    const HAND_WRITTEN: &str = "format: 1\nkind: list\nsite: a.example\nitem: //li\n";

    #[test]
    fn a_list_s_wrapper_is_read_as_it_was_written() {
        let wrapper = ListWrapper {
            site: "a.example".to_owned(),
            pages: vec!["https://a.example/".to_owned()],
            item: "//li".to_owned(),
            link: vec![".//a".to_owned()],
            date: vec![DateField {
                xpath: ".//time".to_owned(),
                format: None,
            }],
            evidence: Some(ListEvidence::default()),
            ..ListWrapper::default()
        };
        let yaml = wrapper.to_yaml();
        let read = ListWrapper::from_yaml(&yaml).expect("its own");
        assert_eq!((read.wrapper, read.edited), (wrapper, false));
        let edited = yaml.replace("//li", "//dd");
        assert!(ListWrapper::from_yaml(&edited).expect("yaml").edited);
    }

    #[test]
    fn lists_and_articles_are_told_apart() {
        let error = Wrapper::from_yaml(HAND_WRITTEN).expect_err("a list");
        assert!(error.to_string().contains("list of links"), "{error}");
        let article = "format: 1\nsite: a.example\ntemplates: []\n";
        let error = ListWrapper::from_yaml(article).expect_err("of articles");
        assert!(error.to_string().contains("kind: list"), "{error}");
    }

    #[test]
    fn what_is_no_list_wrapper_is_refused() {
        let check = |yaml: &str, expected: &str| {
            let error = ListWrapper::from_yaml(yaml)
                .expect_err(expected)
                .to_string();
            assert!(error.contains(expected), "{error}");
        };
        check(&HAND_WRITTEN.replace("format: 1", "format: 9"), "format: 1");
        check(&HAND_WRITTEN.replace("//li", "//li["), "//li[");
        check(&format!("{HAND_WRITTEN}colour: red\n"), "colour");
        assert!(ListWrapper::from_yaml(HAND_WRITTEN).is_ok());
    }
}
