//! A schema of crawl4ai to a wrapper.
//!
//! The wrapper selects what the schema selects, so that `forest site check` shows
//! whether the schema still fits. A schema does not name the language of its selectors:
//! they are XPath if the base begins as a path does, else CSS. Fields are recognised by
//! their names; the fields of a list by those of its items.

use super::crawl4ai_write::{BASE, BESIDE};
use super::ftr_read::ImportedWrapper;
use super::note::{Note, NoteKind};
use crate::error::{ErrorKind, Result};
use forest_core::wrapper::xpath::{XPath, alternatives};
use forest_core::wrapper::{Template, Wrapper, WrapperField};
use serde_json::{Map, Value};

/// Fields within fields at the most.
const MAX_DEPTH: usize = 8;

/// Fields of a schema at the most.
const MAX_FIELDS: usize = 200;

/// The names by which fields are recognised, in letters and digits only, with spaces
/// between.
const NAMES: [(WrapperField, &str); 7] = [
    (
        WrapperField::Body,
        "body content text article articlebody articletext articlecontent maintext \
         maincontent story paragraphs paragraph fulltext html contenthtml bodyhtml",
    ),
    (WrapperField::Strip, "strip remove removed exclude excluded"),
    (
        WrapperField::Title,
        "title headline heading articletitle h1",
    ),
    (
        WrapperField::Author,
        "author authors byline writer creator articleauthor authorname",
    ),
    (
        WrapperField::Date,
        "date time timestamp published publishedat publishdate publisheddate \
         publishedtime datepublished publicationdate publishingdate pubdate posted \
         articledate",
    ),
    (
        WrapperField::Tags,
        "tags tag keywords categories category topics labels",
    ),
    (
        WrapperField::Images,
        "images image picture photo thumbnail leadimage img imageurl",
    ),
];

/// The site that a schema names, if its name is one.
pub fn site_of_schema(bytes: &[u8]) -> Option<String> {
    let schema: Value = serde_json::from_slice(bytes).ok()?;
    let name = schema.get("name")?.as_str()?;
    let is_host = name.contains('.') && !name.contains(char::is_whitespace);
    is_host.then(|| super::site_of_file(name)).flatten()
}

/// Reads a schema of crawl4ai for `site`: `baseSelector`, and `fields` with `name`,
/// `selector`, `type` and so on. A field that no article has, or that cannot be used, is
/// left out and noted.
///
/// # Errors
///
/// If the text is no such schema.
///
/// ```
/// use forest_exchange::from_crawl4ai;
///
/// let schema = r#"{"baseSelector": "div.post", "fields": [
///     {"name": "headline", "selector": "h1", "type": "text"},
///     {"name": "content", "selector": "section p", "type": "html"},
///     {"name": "price", "selector": "b", "type": "text"}]}"#;
/// let read = from_crawl4ai(schema.as_bytes(), "a.example")?;
/// let post = "//div[contains(concat(' ',normalize-space(@class),' '),' post ')]";
/// assert_eq!(read.wrapper.templates[0].title, [format!("{post}//h1")]);
/// assert_eq!(read.wrapper.templates[0].body, [format!("{post}//section//p")]);
/// assert!(read.notes[0].to_string().contains("`price`"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_crawl4ai(bytes: &[u8], site: &str) -> Result<ImportedWrapper> {
    let fail = |reason: String| ErrorKind::Schema { reason };
    let schema: Value = serde_json::from_slice(bytes).map_err(|error| fail(error.to_string()))?;
    let base = schema.get("baseSelector").and_then(Value::as_str);
    let fields = schema.get("fields").and_then(Value::as_array);
    let (Some(base), Some(fields)) = (base, fields) else {
        let reason = "it has no `baseSelector` and `fields`".to_owned();
        return Err(fail(reason).into());
    };
    let begins = |with: &str| base.trim_start().starts_with(with);
    let is_path = ["/", "(", "./", "..", ".//"].into_iter().any(begins);
    let mut reader = SchemaReader {
        is_path,
        read: 0,
        found: Vec::new(),
        notes: Vec::new(),
    };
    let path = match base.trim() {
        // crawl4ai takes the base as it is.
        path if is_path && !path.starts_with('.') => XPath::parse(path)
            .map(|xpath| xpath.source().to_owned())
            .map_err(|error| error.to_string()),
        selector => reader.path(BASE, selector),
    };
    let base = path.map_err(|reason| fail(format!("its `baseSelector`: {reason}")))?;
    let of_base = schema.get("baseFields").and_then(Value::as_array);
    for field in of_base.into_iter().flatten().chain(fields) {
        reader.field(&base, field, 0);
    }
    Ok(reader.finish(site))
}

struct SchemaReader {
    /// The selectors are XPath.
    is_path: bool,
    /// Fields that were looked at.
    read: usize,
    /// The selected field, its name and its expression.
    found: Vec<(WrapperField, String, String)>,
    notes: Vec<Note>,
}

impl SchemaReader {
    fn note(&mut self, name: &str, reason: impl Into<String>) {
        let kind = NoteKind::Field {
            name: name.chars().take(100).collect(),
            reason: reason.into(),
        };
        self.notes.push(Note {
            line: 0,
            column: None,
            kind,
        });
    }

    /// A field of an item that `base` selects.
    fn field(&mut self, base: &str, field: &Value, depth: usize) {
        let text = |key: &str| field.get(key).and_then(Value::as_str);
        let name = text("name").unwrap_or_default();
        self.read += 1;
        if self.read > MAX_FIELDS || depth > MAX_DEPTH {
            if self.read == MAX_FIELDS + 1 || depth == MAX_DEPTH + 1 {
                self.note(name, "more fields, or deeper ones, than are read");
            }
            return;
        }
        let Some(object) = field.as_object() else {
            return self.note(name, "it is no object");
        };
        if object.contains_key("source") {
            return self.note(name, "`source` is not known here");
        }
        let selected = match text("selector") {
            None => base.to_owned(),
            Some(selector) => match self.path(base, selector) {
                Ok(path) => path,
                Err(reason) => return self.note(name, reason),
            },
        };
        match &*kind_of(object) {
            "nested" => {
                let inner = object.get("fields").and_then(Value::as_array);
                for field in inner.into_iter().flatten() {
                    self.field(&selected, field, depth + 1);
                }
            }
            "list" | "nested_list" => self.items(&selected, name, object, depth),
            "computed" => self.note(name, "it is computed"),
            "attribute" => match text("attribute") {
                Some(attribute) => self.value(name, &each(&selected, &format!("/@{attribute}"))),
                None => self.note(name, "it names no `attribute`"),
            },
            kind @ ("text" | "html" | "regex") => {
                if kind == "regex" || object.contains_key("pattern") {
                    self.note(
                        name,
                        "its `pattern` is not applied: the whole text is taken",
                    );
                }
                self.value(name, &selected);
            }
            kind => self.note(name, format!("there is no type `{kind}`")),
        }
    }

    /// The fields of a list's items.
    fn items(&mut self, selected: &str, name: &str, list: &Map<String, Value>, depth: usize) {
        let fields = list.get("fields").and_then(Value::as_array);
        let fields: Vec<&Value> = fields.into_iter().flatten().collect();
        if fields.is_empty() {
            return self.value(name, selected);
        }
        for field in fields {
            let mut field = field.clone();
            let own = field
                .get("name")
                .and_then(Value::as_str)
                .unwrap_or_default();
            // The list's name, where it is a known one, names the field of its items.
            if (field_of(name).is_some() || field_of(own).is_none())
                && let Some(object) = field.as_object_mut()
            {
                object.insert("name".to_owned(), Value::from(name));
            }
            self.field(selected, &field, depth + 1);
        }
    }

    /// An expression for the field of this name.
    fn value(&mut self, name: &str, source: &str) {
        let Some(field) = field_of(name) else {
            return self.note(
                name,
                "an article has no such field: its name says nothing of one",
            );
        };
        let checked = XPath::parse(source).map_err(|error| error.to_string());
        let unknown = checked.and_then(|xpath| xpath.unknown().map_or(Ok(()), Err));
        if let Err(reason) = unknown {
            return self.note(name, reason);
        }
        // Of fields with the same name, the last one with a result counts.
        let same = |(of, by, _): &(WrapperField, String, String)| *of == field && by == name;
        let at = self.found.iter().position(same).unwrap_or(self.found.len());
        self.found
            .insert(at, (field, name.to_owned(), source.to_owned()));
    }

    /// The expression of a selector, below what `base` selects.
    fn path(&self, base: &str, selector: &str) -> std::result::Result<String, String> {
        let selector = selector.trim();
        if !self.is_path {
            let xpath = XPath::from_css(selector).map_err(|fault| match fault.byte {
                Some(byte) => format!("column {} of its selector: {}", byte + 1, fault.reason),
                None => fault.reason,
            })?;
            return Ok(match base {
                BASE => xpath.source().to_owned(),
                _ => below(base, xpath.source()),
            });
        }
        let dotted = match selector {
            _ if !selector.contains('/') => format!(".{}", slashed(selector)),
            _ if selector.starts_with('.') => selector.to_owned(),
            _ => format!(".{selector}"),
        };
        let parts = alternatives(dotted.strip_prefix(BESIDE).unwrap_or(&dotted));
        let parts = parts.into_iter().map(|part| relative(base, part));
        let path = parts
            .collect::<std::result::Result<Vec<_>, _>>()?
            .join(" | ");
        XPath::parse(&path).map_err(|error| error.to_string())?;
        Ok(path)
    }

    fn finish(mut self, site: &str) -> ImportedWrapper {
        let mut template = Template::default();
        for (field, _, source) in self.found {
            if !template.expressions(field).contains(&&*source) {
                template.add(field, source);
            }
        }
        if template.body.is_empty() {
            self.notes.push(Note {
                line: 0,
                column: None,
                kind: NoteKind::NoBody,
            });
        }
        let wrapper = Wrapper {
            site: site.to_owned(),
            templates: vec![template],
            ..Wrapper::default()
        };
        ImportedWrapper {
            wrapper,
            notes: self.notes,
        }
    }
}

/// The field that a name is for.
fn field_of(name: &str) -> Option<WrapperField> {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    let plain: String = letters.flat_map(char::to_lowercase).collect();
    let known = NAMES
        .iter()
        .find(|(_, names)| names.split(' ').any(|name| name == plain));
    known.map(|(field, _)| *field)
}

/// A field's type; of several steps the one that takes something from the page.
fn kind_of(field: &Map<String, Value>) -> String {
    let of = |value: &Value| value.as_str().map(str::to_owned);
    match field.get("type") {
        Some(Value::Array(steps)) => steps.first().and_then(of),
        Some(value) => of(value),
        None => None,
    }
    .unwrap_or_default()
}

/// A selector without a slash, which crawl4ai takes for a simple one of CSS.
fn slashed(selector: &str) -> String {
    let slash = if selector.contains(" > ") {
        (" > ", "/")
    } else {
        (" ", "//")
    };
    format!("//{}", selector.replace(slash.0, slash.1))
}

/// A part of a selector, from what `base` selects.
fn relative(base: &str, part: &str) -> std::result::Result<String, String> {
    Ok(match part.strip_prefix('.') {
        // The document is the parent of the page's root element.
        _ if base == BASE && part.starts_with("../") => part[2..].to_owned(),
        Some(_) if part.starts_with("..") => each(base, &format!("/{part}")),
        Some("") => base.to_owned(),
        Some(rest) if rest.starts_with('/') => each(base, rest),
        Some(_) => {
            let why = "crawl4ai writes a dot before a path: begin it with `/` or `./`";
            return Err(why.to_owned());
        }
        None if part.starts_with(['/', '(']) => part.to_owned(),
        None => each(base, &format!("/{part}")),
    })
}

/// A path appended to each alternative of an expression.
fn each(source: &str, path: &str) -> String {
    let parts = alternatives(source).into_iter();
    let parts: Vec<String> = parts.map(|part| format!("{part}{path}")).collect();
    parts.join(" | ")
}

/// Each alternative of a path appended to each alternative of a base.
fn below(base: &str, path: &str) -> String {
    let parts = alternatives(path).into_iter();
    let parts: Vec<String> = parts.map(|part| each(base, part)).collect();
    parts.join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(schema: &str) -> ImportedWrapper {
        from_crawl4ai(schema.as_bytes(), "a.example").expect(schema)
    }

    fn with_fields(base: &str, fields: &str) -> ImportedWrapper {
        read(&format!(
            "{{\"baseSelector\": {base:?}, \"fields\": [{fields}]}}"
        ))
    }

    #[test]
    fn selectors_are_css_or_paths_below_the_base() {
        let body = |base: &str, selector: &str| {
            let field =
                format!("{{\"name\": \"body\", \"selector\": {selector:?}, \"type\": \"html\"}}");
            let read = with_fields(base, &field);
            assert_eq!(read.notes, [], "{selector}");
            read.wrapper.templates[0].body[0].clone()
        };
        assert_eq!(
            body("article, main", "p > b"),
            "//article//p/b | //main//p/b"
        );
        assert_eq!(body("//article", "//p"), "//article//p");
        assert_eq!(body("//article", "./p"), "//article/p");
        assert_eq!(
            body("//article", ".//p | .//ul"),
            "//article//p | //article//ul"
        );
        assert_eq!(body("//article", "p"), "//article//p");
        assert_eq!(body("//article", "div > p"), "//article//div/p");
        assert_eq!(body("//article", "../h1"), "//article/../h1");
        assert_eq!(
            body("//article", "./p | //b/i | q"),
            "//article/p | //b/i | //article/q"
        );
        assert_eq!(body("/*", "..//p | //b"), "//p | //b");
        assert_eq!(body("/*", "../*[false()] | (//p)[1]"), "(//p)[1]");
        assert_eq!(body("/*", "//p"), "/*//p");
    }

    #[test]
    fn fields_are_known_by_their_names() {
        let read = with_fields(
            "div",
            r#"{"name": "Headline", "selector": "h1", "type": "text"},
               {"name": "pub_date", "selector": "time", "type": "attribute", "attribute": "datetime"},
               {"name": "meta", "type": "nested", "selector": "header", "fields": [
                 {"name": "byline", "selector": "a", "type": ["text", "regex"], "pattern": "By (.*)"}]},
               {"name": "keywords", "type": "list", "selector": "li", "fields": [{"name": "tag", "type": "text"}]},
               {"name": "paragraphs", "type": "nested_list", "selector": "section", "fields": [{"name": "text", "selector": "p", "type": "text"}]},
               {"name": "image", "selector": "img", "type": "attribute", "attribute": "src"},
               {"name": "price", "selector": "b", "type": "text"},
               {"name": "body", "selector": "p:hover", "type": "text"},
               {"name": "text", "selector": "a", "source": "+ tr", "type": "text"},
               {"name": "words", "type": "computed", "expression": "1"},
               {"name": "title", "selector": "h2", "type": "text"},
               {"name": "title", "selector": "h3", "type": "text"}"#,
        );
        let template = &read.wrapper.templates[0];
        assert_eq!(template.title, ["//div//h1", "//div//h3", "//div//h2"]);
        assert_eq!(template.date[0].xpath, "//div//time/@datetime");
        assert_eq!(template.author, ["//div//header//a"]);
        assert_eq!(template.tags, ["//div//li"]);
        assert_eq!(template.body, ["//div//section//p"]);
        assert_eq!(template.images, ["//div//img/@src"]);
        let notes: Vec<String> = read.notes.iter().map(Note::to_string).collect();
        for part in [
            "`byline`",
            "`source`",
            "`price`",
            "column 2 of its selector",
            "`words`",
        ] {
            assert!(
                notes.iter().any(|note| note.contains(part)),
                "{part}: {notes:?}"
            );
        }
        assert!(read.notes.iter().all(Note::is_loss));
        read.wrapper.compile().expect("it compiles");
    }

    #[test]
    fn what_is_no_schema_is_refused() {
        let check = |text: &str, reason: &str| {
            let error = from_crawl4ai(text.as_bytes(), "a")
                .expect_err(text)
                .to_string();
            assert!(error.contains(reason), "{error}");
        };
        check("", "EOF");
        check("[]", "baseSelector");
        check("{\"baseSelector\": \"a\"}", "fields");
        check(
            "{\"baseSelector\": \"a[\", \"fields\": []}",
            "its `baseSelector`: column 3",
        );
        check(
            "{\"baseSelector\": \"//a[\", \"fields\": []}",
            "its `baseSelector`",
        );
        let none = with_fields("a", "1, {}, {\"name\": \"body\"}");
        assert_eq!(
            none.notes.last().map(|note| &note.kind),
            Some(&NoteKind::NoBody)
        );
        let dotless = "{\"name\": \"body\", \"selector\": \"p/b\", \"type\": \"text\"}";
        let notes = with_fields("//a", dotless).notes;
        assert!(
            notes[0].to_string().contains("begin it with"),
            "{}",
            notes[0]
        );
        let many = vec!["{\"name\": \"x\", \"type\": \"text\"}"; 1000].join(",");
        assert!(with_fields("a", &many).notes.len() <= MAX_FIELDS + 2);
    }

    proptest::proptest! {
        #[test]
        fn whatever_is_read_compiles(
            base in "[a-c/.*\\[\\]@(|) ]{0,8}", selector in "[a-c/.*\\[\\]@(|):,> ]{0,10}",
            kind in "(text|html|attribute|list|nested|regex)",
        ) {
            let schema = serde_json::json!({"baseSelector": base, "fields": [
                {"name": "body", "selector": selector, "type": kind, "attribute": "x]", "fields": [
                    {"name": "title", "type": "text"}]}]});
            if let Ok(read) = from_crawl4ai(schema.to_string().as_bytes(), "a.example") {
                read.wrapper.compile().expect("it compiles");
            }
        }
    }
}
