//! The wrapper file: YAML, a version, a digest.

use super::{Matcher, StripExpect, Template, Wrapper, WrapperField};
use crate::error::{Error, ErrorKind, Result};
use crate::yaml::read_yaml;
use forest_html::text::sha256_hex;
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::path::Path;

/// The latest version of the wrapper format. In it, `@dfs` counts the elements of the body;
/// in version 1 it counted those of the head as well; templates may have `json`, strip rules
/// what they expect, `expect` a `median`, and templates `for`. There is no other difference, so a wrapper without these is written as
/// version 1, which older programs read.
pub const FORMAT: u32 = 2;

/// The version without `@dfs`, `json` and what strip rules expect.
const FIRST_FORMAT: u32 = 1;

/// Bytes of a wrapper file at the most: thousands of templates.
pub const MAX_FILE_BYTES: u64 = 10_000_000;

/// The key before the digest on its line.
const DIGEST_KEY: &str = "digest: ";

/// A wrapper as it was read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct WrapperFile {
    /// The wrapper.
    pub wrapper: Wrapper,
    /// The file is not as it was written: its digest is absent or another. That the program
    /// took `fast: true` out of it does not count.
    pub edited: bool,
}

impl WrapperFile {
    /// The file at `path`, which the caller has opened, and its text; `None` if there
    /// is no such file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is larger than [`MAX_FILE_BYTES`], or is no wrapper's:
    /// see [`Wrapper::from_yaml`].
    pub fn read(
        path: &Path,
        opened: io::Result<impl Read>,
    ) -> Result<Option<(WrapperFile, String)>> {
        read_file(path, opened, Wrapper::from_yaml)
    }
}

/// The content of a wrapper file of some kind, and its text: see [`WrapperFile::read`].
pub(super) fn read_file<T>(
    path: &Path,
    opened: io::Result<impl Read>,
    parse: impl Fn(&str) -> Result<T>,
) -> Result<Option<(T, String)>> {
    let failed = |source| Error::read(path, source);
    let file = match opened {
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(None);
        }
        opened => opened.map_err(failed)?,
    };
    let is_none = |reason: String| ErrorKind::WrapperAt {
        path: path.to_owned(),
        reason,
    };
    let mut yaml = String::new();
    let mut bounded = file.take(MAX_FILE_BYTES + 1);
    bounded.read_to_string(&mut yaml).map_err(failed)?;
    if yaml.len() as u64 > MAX_FILE_BYTES {
        let reason = format!("it has more than {MAX_FILE_BYTES} bytes");
        return Err(is_none(reason).into());
    }
    let file = parse(&yaml).map_err(|error| is_none(error.to_string()))?;
    Ok(Some((file, yaml)))
}

#[derive(Deserialize)]
struct FormatVersion {
    format: Option<u32>,
}

#[derive(Serialize)]
struct VersionedWrapper<'a> {
    format: u32,
    #[serde(flatten)]
    wrapper: &'a Wrapper,
}

impl Wrapper {
    /// Reads a wrapper file. A hand-edited file is as good as a learned one.
    ///
    /// # Errors
    ///
    /// If the text is not YAML of this format, names a key that the format does
    /// not have, is of another version, or holds an expression that is no XPath.
    pub fn from_yaml(text: &str) -> Result<WrapperFile> {
        let fail = |reason: String| -> Error { ErrorKind::WrapperFile { reason }.into() };
        if is_list(text) {
            return Err(fail(
                "it has the wrapper of a list of links (`kind: list`), not of articles: use it \
                 with `forest apply --wrapper FILE PAGE`"
                    .into(),
            ));
        }
        let version: FormatVersion = read_yaml(text).map_err(|e| fail(e.to_string()))?;
        match version.format {
            Some(FIRST_FORMAT | FORMAT) => {}
            Some(other) => {
                return Err(fail(format!(
                    "format {other} is unknown to this version, which reads formats {FIRST_FORMAT} to {FORMAT}: \
                     use a newer forest, or learn the site again"
                )));
            }
            None => return Err(fail("no `format:` line; it should say `format: 1`".into())),
        }
        let mut wrapper: Wrapper =
            read_yaml(&fields_only(text)).map_err(|e| fail(e.to_string()))?;
        if version.format == Some(FIRST_FORMAT) && wrapper.names_dfs() {
            return Err(fail(
                "its `@dfs` counts the elements of the head, too, as format 1 did: take the \
                 file away and learn the site again with `forest learn`"
                    .into(),
            ));
        }
        for rule in wrapper
            .templates
            .iter()
            .flat_map(|template| &template.strip)
        {
            if let Some(why) = rule.expect.as_ref().and_then(StripExpect::fault) {
                let xpath = &rule.xpath;
                return Err(fail(format!(
                    "the strip rule `{xpath}` can expect nothing: {why}"
                )));
            }
        }
        wrapper.compile()?;
        let edited = is_edited(text);
        if edited {
            wrapper.forget_lengths();
        }
        Ok(WrapperFile { wrapper, edited })
    }

    /// Forgets how long the sample's articles were: what a person writes in the place of a learned
    /// body may select less.
    pub fn forget_lengths(&mut self) {
        if let Some(expect) = &mut self.expect {
            expect.median = None;
        }
        for audience in self
            .templates
            .iter_mut()
            .filter_map(|t| t.audience.as_mut())
        {
            audience.median = None;
        }
    }

    /// The wrapper as YAML, with the digest of its own content.
    pub fn to_yaml(&self) -> String {
        let out = VersionedWrapper {
            format: self.format(),
            wrapper: self,
        };
        written(&out)
    }

    /// The wrapper as YAML without a digest: a file that counts as edited by hand, which the
    /// learner leaves alone.
    pub fn to_yaml_by_hand(&self) -> String {
        split_digest(&self.to_yaml()).0
    }

    /// The version of the format that this wrapper needs.
    fn format(&self) -> u32 {
        let is_new = |template: &Template| {
            template.json.is_some()
                || template.audience.is_some()
                || template.strip.iter().any(|rule| rule.expect.is_some())
        };
        let knows_median = self
            .expect
            .as_ref()
            .is_some_and(|expect| expect.median.is_some());
        if knows_median || self.names_dfs() || self.any_template(&is_new) {
            FORMAT
        } else {
            FIRST_FORMAT
        }
    }

    /// True if an expression has `@dfs`, those of earlier wrappers included.
    fn names_dfs(&self) -> bool {
        let named = |xpath: &str| xpath.contains("@dfs");
        let in_template = |template: &Template| {
            let of = |field| template.expressions(field).into_iter().any(named);
            WrapperField::ALL.into_iter().any(of)
        };
        let bodies = self.history.iter().flat_map(|retired| &retired.body);
        self.any_template(&in_template) || bodies.into_iter().any(|xpath| named(xpath))
    }

    /// True if a template `is_one`, of this wrapper or of an earlier one.
    fn any_template(&self, is_one: &dyn Fn(&Template) -> bool) -> bool {
        let earlier = self
            .history
            .iter()
            .filter_map(|retired| retired.wrapper.as_ref());
        self.templates.iter().any(is_one)
            || earlier
                .into_iter()
                .any(|wrapper| wrapper.any_template(is_one))
    }

    /// Compiles the expressions.
    ///
    /// # Errors
    ///
    /// If one is no XPath 1.0, or there are more than [`MAX_REPLACES`]
    /// replacements.
    ///
    /// [`MAX_REPLACES`]: super::MAX_REPLACES
    pub fn compile(&self) -> Result<Matcher> {
        Matcher::of(self)
    }
}

/// The line that tells a list's wrapper from one of articles.
pub(super) const LIST_LINE: &str = "kind: list";

/// True if a text is a list's wrapper.
pub(super) fn is_list(text: &str) -> bool {
    text.lines().any(|line| line.trim_end() == LIST_LINE)
}

/// A wrapper file with the digest of its content.
pub(super) fn written(content: &impl Serialize) -> String {
    let body = serde_yaml::to_string(content).expect("a wrapper has string keys only");
    let digest = digest_of(&body);
    // After the version, so that a reader sees it without scrolling.
    let (first, rest) = body.split_once('\n').unwrap_or((&body, ""));
    format!("{first}\n{DIGEST_KEY}{digest}\n{rest}")
}

/// True if a text is not as it was written: its digest is absent or another. Versions up to
/// 0.1.0 took [`FAST_LINE`] out of a file themselves, which is no edit by hand.
pub(super) fn is_edited(text: &str) -> bool {
    let (whole, digest) = split_digest(text);
    let Some(digest) = digest else {
        return true;
    };
    digest != digest_of(&whole) && !has_lost_fast(&whole, &digest)
}

/// A line of older files, which said that a part of a page gave the same article.
const FAST_LINE: &str = "fast: true";

/// Keys of a wrapper's file at the most, more than [`Wrapper`] has fields.
const MOST_KEYS: usize = 32;

/// True if the digest fits once [`FAST_LINE`] is put back before a key, or at the end.
fn has_lost_fast(whole: &str, digest: &str) -> bool {
    let mut at = 0;
    let mut places = vec![whole.len()];
    for line in whole.split_inclusive('\n') {
        if line.starts_with(|c: char| c.is_ascii_lowercase()) {
            places.push(at);
        }
        at += line.len();
    }
    places.len() <= MOST_KEYS
        && places.into_iter().any(|at| {
            let (before, after) = whole.split_at(at);
            digest_of(&format!("{before}{FAST_LINE}\n{after}")) == digest
        })
}

fn digest_of(body: &str) -> String {
    format!("sha256:{}", sha256_hex(body))
}

/// The text without its digest line, and the digest.
fn split_digest(text: &str) -> (String, Option<String>) {
    let digest = text
        .lines()
        .find_map(|line| line.strip_prefix(DIGEST_KEY))
        .map(|digest| digest.trim().to_owned());
    let body = text
        .split_inclusive('\n')
        .filter(|line| !line.starts_with(DIGEST_KEY))
        .collect();
    (body, digest)
}

/// The text with the lines of version, digest and `fast` made comments, so that an error
/// still names the right line.
pub(super) fn fields_only(text: &str) -> String {
    text.split_inclusive('\n')
        .map(|line| {
            let no_field = [DIGEST_KEY, "format:", "fast:"];
            if no_field.iter().any(|key| line.starts_with(key)) {
                "#\n"
            } else {
                line
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file as versions wrote it whose wrappers could be `fast`.
    fn fast_file(fields_behind: &str) -> String {
        let body = format!(
            "format: 1\nsite: a.example\ntemplates:\n- body: [//article]\n{FAST_LINE}\n{fields_behind}"
        );
        let digest = digest_of(&body);
        body.replacen('\n', &format!("\n{DIGEST_KEY}{digest}\n"), 1)
    }

    #[test]
    fn a_learned_file_that_is_or_was_fast_is_a_learned_file() {
        for behind in ["", "headers:\n  a: b\n"] {
            let fast = fast_file(behind);
            let slow = fast.replace("fast: true\n", "");
            for text in [&fast, &slow] {
                let file = Wrapper::from_yaml(text).expect("a wrapper");
                assert!(!file.edited, "{text}");
                assert!(!file.wrapper.to_yaml().contains("fast"));
                let edited = text.replace("//article", "//main");
                assert!(Wrapper::from_yaml(&edited).expect("a wrapper").edited);
            }
        }
        let by_hand = "format: 1\nsite: a.example\nfast: false\ntemplates:\n- body: [//article]\n";
        assert!(Wrapper::from_yaml(by_hand).is_ok());
    }
}
