//! A wrapper as ftr-site-config.

use super::links::only_if;
use super::omission::{Exported, Omission};
use super::templates::guarded;
use super::unsupported::{UnsupportedParts, UnsupportedPolicy};
use crate::error::Result;
use forest_core::wrapper::expression::without_dfs;
use forest_core::wrapper::xpath::XPath;
use forest_core::wrapper::{PageTest, Template, Wrapper, WrapperField};

/// The number of pages that an exported file should name, so that others can test it.
pub const TEST_URLS: usize = 2;

/// Pages of the sample that are named where there are no tests.
const SAMPLE_URLS: usize = 3;

/// Writes a wrapper as an ftr-site-config file. Its alternatives and templates stay in
/// their order. An expression that only one template has is written with the condition that
/// this template matches. A template without a body expression is written without `body`:
/// other programs then guess the body, and strip it.
///
/// # Errors
///
/// If the format cannot express a part: a text over several lines or with white space at
/// its ends, `@dfs` in a form of its own, a condition that becomes too long, `keep`.
///
/// ```
/// use forest_core::wrapper::Wrapper;
/// use forest_exchange::{UnsupportedPolicy, to_ftr};
///
/// let yaml = "format: 1\nsite: a.example\ntemplates:\n- body: ['//article']\n  strip: ['//nav']\n";
/// let file = to_ftr(&Wrapper::from_yaml(yaml)?.wrapper, UnsupportedPolicy::Refused)?;
/// assert!(file.text.contains("\nbody: //article\nstrip: //nav\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_ftr(wrapper: &Wrapper, policy: UnsupportedPolicy) -> Result<Exported> {
    let mut unsupported = UnsupportedParts::of("ftr-site-config", policy);
    let wrapper = &*unsupported.without_json(wrapper);
    let mut writer = RuleWriter {
        lines: Vec::new(),
        unsupported,
        omissions: Omission::of(
            wrapper,
            &wrapper.templates,
            &[Omission::DateFormat, Omission::Conditions],
        ),
    };
    writer.comment(wrapper);
    writer.templates(&wrapper.templates);
    for (name, link) in [
        ("single_page_link", &wrapper.single_page),
        ("next_page_link", &wrapper.next_page),
    ] {
        if let Some(link) = link {
            writer.xpath(name, link, None);
        }
    }
    for replace in &wrapper.replace {
        let fits = writer.fits("find_string", &replace.find);
        if writer.fits("replace_string", &replace.with) && fits {
            writer.value("find_string", &replace.find);
            writer.value("replace_string", &replace.with);
        }
    }
    for (name, value) in &wrapper.headers {
        writer.value(&format!("http_header({name})"), value);
    }
    for name in ["prune", "tidy"] {
        // Other programs clean up what they extract, unless this directive is there.
        let has_name = |line: &String| line.split(':').next().is_some_and(|n| n.trim() == name);
        if !wrapper.foreign.iter().any(has_name) {
            writer.value(name, "no");
        }
    }
    for line in &wrapper.foreign {
        match line.split_once(':') {
            Some((name, value)) => writer.value(name.trim(), value.trim()),
            None => writer.unsupported.name(line, "it is no directive"),
        }
    }
    writer.tests(wrapper);
    let images = Omission::of(wrapper, &wrapper.templates, &[Omission::Images]);
    writer.omissions.extend(images);
    writer.finish(wrapper)
}

struct RuleWriter {
    lines: Vec<String>,
    unsupported: UnsupportedParts,
    omissions: Vec<Omission>,
}

impl RuleWriter {
    fn comment(&mut self, wrapper: &Wrapper) {
        let mut line = format!("# {}", wrapper.site);
        for (before, what) in [
            (", by ", &wrapper.by),
            (", learned ", &wrapper.learned),
            (" from ", &wrapper.feed),
        ] {
            if let Some(what) = what {
                line.push_str(before);
                line.push_str(what);
            }
        }
        self.lines.push(line.replace(char::is_control, " "));
        self.lines.push(String::new());
    }

    fn templates(&mut self, templates: &[Template]) {
        for template in templates {
            for body in &template.body {
                self.xpath("body", body, None);
            }
            for keep in &template.keep {
                let keep = format!("keep {keep}");
                self.unsupported
                    .name(&keep, "what is stripped cannot be kept");
            }
        }
        for field in [
            WrapperField::Strip,
            WrapperField::Title,
            WrapperField::Author,
            WrapperField::Date,
        ] {
            for (expression, guard) in guarded(templates, field) {
                self.xpath(field.name(), &expression, guard.as_ref());
            }
        }
    }

    fn xpath(&mut self, name: &str, source: &str, guard: Option<&String>) {
        let portable = match without_dfs(source) {
            Ok(portable) => portable,
            Err(why) => return self.unsupported.name(&format!("{name} {source}"), why),
        };
        let xpath = match XPath::parse(&portable) {
            Ok(xpath) => xpath,
            Err(error) => {
                return self
                    .unsupported
                    .name(&format!("{name} {source}"), &error.to_string());
            }
        };
        let expression = match guard {
            None => portable,
            Some(guard) => only_if(&xpath, guard),
        };
        match XPath::parse(&expression) {
            Ok(_) => self.value(name, &on_one_line(&expression)),
            Err(_) => self.unsupported.name(
                &format!("{name} {source}"),
                "it is too long with the condition of its template",
            ),
        }
    }

    /// Returns true if a value is one of this format; if not, that is noted.
    fn fits(&mut self, name: &str, value: &str) -> bool {
        let breaks = |text: &str| text.contains(['\n', '\r']);
        if breaks(value) || breaks(name) || value.trim() != value {
            let why = format!("{name} is one line without white space at its ends");
            self.unsupported.name(&format!("{name} {value:?}"), &why);
            return false;
        }
        true
    }

    fn value(&mut self, name: &str, value: &str) {
        if self.fits(name, value) {
            self.lines.push(format!("{name}: {value}"));
        }
    }

    fn tests(&mut self, wrapper: &Wrapper) {
        let mut tests = wrapper.tests.clone();
        let sample = wrapper.sample.iter().map(|page| &page.url);
        for url in sample.filter(|url| url.starts_with("http://") || url.starts_with("https://")) {
            let named = |n: usize| tests.iter().take(n).any(|test| test.url == *url);
            if !named(tests.len()) && urls(&tests) < SAMPLE_URLS {
                let (url, contains) = (url.clone(), String::new());
                tests.push(PageTest { url, contains });
            }
        }
        if urls(&tests) < TEST_URLS {
            self.omissions.push(Omission::TestUrls);
        }
        if tests.iter().all(|test| test.contains.is_empty()) {
            self.omissions.push(Omission::TestContains);
        }
        if !tests.is_empty() {
            self.lines.push(String::new());
        }
        let mut url = None;
        for test in tests {
            if !self.fits("test_url", &test.url) {
                continue;
            }
            if url.as_ref() != Some(&test.url) {
                self.value("test_url", &test.url);
            }
            if !test.contains.is_empty() {
                self.value("test_contains", &test.contains);
            }
            url = Some(test.url);
        }
    }

    fn finish(self, wrapper: &Wrapper) -> Result<Exported> {
        let without = wrapper.templates.iter().any(|t| t.body.is_empty());
        let has_body = without || self.lines.iter().any(|line| line.starts_with("body:"));
        let left_out = self.unsupported.finish(wrapper, has_body)?;
        let mut text = self.lines.join("\n");
        text.push('\n');
        Ok(Exported {
            text,
            omissions: self.omissions,
            left_out,
        })
    }
}

fn urls(tests: &[PageTest]) -> usize {
    let mut urls: Vec<&str> = tests.iter().map(|test| &*test.url).collect();
    urls.sort_unstable();
    urls.dedup();
    urls.len()
}

/// The text with white space outside of literals as single spaces, so that it fits on a
/// line. White space inside of literals stays, and is refused.
pub(super) fn on_one_line(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut quote = None;
    // True if white space follows the last other character.
    let mut space = String::new();
    for c in source.trim().chars() {
        if quote.is_none() && c.is_whitespace() {
            space.push(c);
            continue;
        }
        out.push_str(if space.trim_matches(' ').is_empty() {
            &space
        } else {
            " "
        });
        space.clear();
        match quote {
            Some(open) if c == open => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            _ => {}
        }
        out.push(c);
    }
    out
}
