//! The head of an article, which its readers see above the text: it does not stand there once more
//! as the first heading and the line of author and date behind it.

use crate::feed::plain_text;
use chrono::DateTime;
use forest_html::page::metadata::Date;
use forest_html::text::{Language, metric_tokens, same_words};
use std::collections::HashSet;

/// Elements that a title is written as.
const TITLES: [&str; 7] = ["h1", "h2", "h3", "h4", "h5", "h6", "p"];

/// Those below a picture, where a line may be its caption.
const HEADINGS: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];

/// Elements that a line about its article is written as: no heading, which is one of its text.
const BYLINES: [&str; 3] = ["p", "time", "address"];

/// Lines of a text that a title has at the most.
const MAX_TITLE_LINES: usize = 3;

/// Lines behind the title that may repeat what stands above: author, date and tags in one each.
const MAX_LINES: usize = 3;

/// Words of such a line besides authors and tags: of one with the date its time and what
/// introduces it (`5 June 2023, 15:20`, `Published on`), of one with an author `By`, of one with
/// both the time to read as well.
const MAX_DATE_WORDS: usize = 6;
const MAX_NAME_WORDS: usize = 2;
const MAX_WORDS: usize = 10;

/// The facts that stand above an article's text.
#[derive(Debug, Clone, Copy, Default)]
pub struct ShownHead<'a> {
    /// The title.
    pub title: &'a str,
    /// Names of its authors.
    pub authors: &'a [String],
    /// Its tags.
    pub tags: &'a [String],
    /// The date of publication, RFC 3339.
    pub date: Option<&'a str>,
    /// The language of the text.
    pub language: Option<&'a str>,
}

impl<'a> ShownHead<'a> {
    /// A title alone.
    pub fn of_title(title: &'a str) -> ShownHead<'a> {
        ShownHead {
            title,
            ..ShownHead::default()
        }
    }

    /// Returns true if a line repeats the title; case, white space and punctuation do not tell
    /// lines apart.
    fn is_title(&self, line: &str) -> bool {
        same_words(line, self.title)
    }

    /// A text, or Markdown, without the lines at its beginning that are the title.
    pub fn cut_text<'t>(&self, text: &'t str) -> &'t str {
        let ends = text.match_indices('\n').map(|(at, _)| at);
        let ends = ends.chain([text.len()]).take(MAX_TITLE_LINES);
        let own = |end: &usize| self.is_title(text[..*end].trim_start_matches('#'));
        let end = { ends }.find(own).unwrap_or(0);
        text[end..].trim_start_matches('\n')
    }

    /// Clean HTML without the heading at its beginning that repeats the title, and without the
    /// lines of authors, date and tags behind it. A picture may stand above that heading, and stays.
    /// Content that is nothing else stays.
    ///
    /// ```
    /// use forest_core::render::ShownHead;
    ///
    /// let html = "<div><h1>The ferry</h1><p>It sails at six.</p></div>";
    /// let shown = ShownHead::of_title("The Ferry").cut_html(html);
    /// assert_eq!(shown, "<div><p>It sails at six.</p></div>");
    /// ```
    pub fn cut_html(&self, html: &str) -> String {
        let begin = content_begin(html);
        let (begin, titles) = match behind_picture(&html[begin..]) {
            None => (begin, &TITLES[..]),
            Some(behind) => (html.len() - behind.len(), &HEADINGS[..]),
        };
        let mut rest = &html[begin..];
        for nth in 0..=MAX_LINES {
            let names = if nth == 0 { titles } else { &BYLINES };
            let Some((line, behind)) = first_line(rest, names) else {
                break;
            };
            let is_repeated = match nth {
                0 => self.is_title(&line),
                _ => self.is_byline(&line),
            };
            if !is_repeated {
                break;
            }
            rest = behind.trim_start();
        }
        if plain_text(rest).is_empty() && !rest.contains("<img") {
            return html.to_owned();
        }
        html[..begin].to_owned() + rest
    }

    /// Returns true if a line has nothing but authors, the date and tags: no sentence, and nobody
    /// who says something next.
    fn is_byline(&self, line: &str) -> bool {
        if line
            .trim_end()
            .ends_with(['.', '!', '?', ':', '。', '：', '؟', '।'])
        {
            return false;
        }
        let names: Vec<HashSet<String>> = self.authors.iter().map(|name| words(name)).collect();
        let tags: HashSet<String> = self.tags.iter().flat_map(|tag| words(tag)).collect();
        let line_words = words(line);
        let has_name = names
            .iter()
            .any(|name| !name.is_empty() && name.is_subset(&line_words));
        let is_known =
            |word: &&str| tags.contains(*word) || names.iter().any(|name| name.contains(*word));
        let tokens = metric_tokens(line);
        let others = tokens.iter().filter(|word| !is_known(word)).count();
        match (self.has_date(line), has_name) {
            (true, true) => others <= MAX_WORDS,
            (true, false) => others <= MAX_DATE_WORDS,
            (false, true) => others <= MAX_NAME_WORDS,
            (false, false) => others == 0 && !line_words.is_empty(),
        }
    }

    /// Returns true if a line has the date of the article; that of a page's zone may be a day off.
    fn has_date(&self, line: &str) -> bool {
        let day = |date: &str| {
            let time = DateTime::parse_from_rfc3339(date).ok()?;
            Some(time.date_naive())
        };
        let language = self.language.map_or(Language::Unknown, Language::from_tag);
        let own = self.date.and_then(day);
        let read = Date::read_in(line, language).rfc3339;
        let days = own.zip(read.as_deref().and_then(day));
        days.is_some_and(|(own, read)| (own - read).num_days().abs() <= 1)
    }
}

fn words(text: &str) -> HashSet<String> {
    metric_tokens(text).iter().map(str::to_owned).collect()
}

/// The place of the first element that is no box.
fn content_begin(html: &str) -> usize {
    let mut at = 0;
    loop {
        at += html[at..].len() - html[at..].trim_start().len();
        match html[at..]
            .strip_prefix('<')
            .and_then(|tag| tag.split_once('>'))
        {
            Some((tag, inside)) if tag_name(tag) == "div" => at = html.len() - inside.len(),
            _ => return at,
        }
    }
}

fn tag_name(tag: &str) -> &str {
    tag.split_whitespace().next().unwrap_or_default()
}

/// The first element behind a picture at the beginning that is no box; `None` without a picture.
fn behind_picture(html: &str) -> Option<&str> {
    let (tag, inside) = html.strip_prefix('<')?.split_once('>')?;
    let behind = match tag_name(tag) {
        "img" => inside,
        "figure" => inside.split_once("</figure>")?.1,
        "p" => {
            let (line, behind) = inside.split_once("</p>")?;
            let is_picture = line.contains("<img") && plain_text(line).is_empty();
            is_picture.then_some(behind)?
        }
        _ => return None,
    };
    Some(&behind[content_begin(behind)..])
}

/// The text of the element at the beginning, if it is one of these, and what is behind it.
fn first_line<'h>(html: &'h str, names: &[&str]) -> Option<(String, &'h str)> {
    let (tag, inside) = html.strip_prefix('<')?.split_once('>')?;
    let name = tag_name(tag);
    if !names.contains(&name) {
        return None;
    }
    let (line, behind) = inside.split_once(&format!("</{name}>"))?;
    Some((plain_text(line), behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, expected: &str) {
        let authors = ["Jane Doe".to_owned(), "Ann Lee".to_owned()];
        let tags = ["Sea".to_owned(), "Town hall".to_owned()];
        let head = ShownHead {
            title: "The ferry sails on",
            authors: &authors,
            tags: &tags,
            date: Some("2023-06-05T15:20:00+02:00"),
            language: Some("en"),
        };
        assert_eq!(head.cut_html(html), expected, "{html}");
    }

    const TEXT: &str = "<p>It sails at six.</p>";

    #[test]
    fn what_stands_above_does_not_stand_there_twice() {
        let lines = [
            "<h1>The ferry sails on</h1>",
            "<h2 id=\"a\">The ferry <em>sails</em> on!</h2>\n",
            "<p>THE FERRY SAILS ON</p>",
            "<h1>The ferry sails on</h1><p>By Jane Doe</p>",
            "<h1>The ferry sails on</h1><p>Jane Doe and Ann Lee</p><p>5 June 2023, 15:20</p>",
            "<h1>The ferry sails on</h1><p>Published on 5 June 2023 by Jane Doe · 4 min read</p>",
            "<h1>The ferry sails on</h1><p>2023-06-06</p><p>Town hall, Sea</p>",
            "<h1>The ferry sails on</h1><p>Jane Doe</p><time datetime=\"2023-06-05\">5 June 2023</time>",
            "<h1>The ferry<br>sails on</h1>",
        ];
        for line in lines {
            check(&format!("{line}{TEXT}"), TEXT);
            check(
                &format!("<div><div>\n{line}{TEXT}</div></div>"),
                &format!("<div><div>\n{TEXT}</div></div>"),
            );
        }
    }

    #[test]
    fn a_picture_above_the_title_stays() {
        for picture in [
            "<img src=\"a\">",
            "<p><img src=\"a\"></p>\n",
            "<figure><img src=\"a\"><figcaption>The ferry</figcaption></figure>",
            "<figure><img src=\"a\"></figure><div>",
        ] {
            check(
                &format!("<div>{picture}<h1>The ferry sails on</h1><p>Jane Doe</p>{TEXT}</div>"),
                &format!("<div>{picture}{TEXT}</div>"),
            );
        }
    }

    #[test]
    fn the_text_is_not_taken_for_the_head() {
        for kept in [
            // No title before it.
            "<p>By Jane Doe</p>",
            "<p>5 June 2023</p>",
            "<h1>The ferry</h1>",
            "<figure><img src=\"a\"></figure><p>The ferry sails on</p>",
            "<figure><img src=\"a\"></figure><h1>The ferry</h1>",
            "<p>A ferry <img src=\"a\"></p><h1>The ferry sails on</h1>",
        ] {
            let html = format!("{kept}{TEXT}");
            check(&html, &html);
        }
        for sentence in [
            "<p>On 5 June 2023 Jane Doe sailed.</p>",
            "<p>Jane Doe writes to us from the island of Hoy</p>",
            "<p>Another ferry sailed on 5 May 2023</p>",
            "<p>Ferry workers strike on 5 June 2023</p>",
            "<p>Sea and town</p>",
            "<h2>Six bells</h2>",
            "<h2>Jane Doe</h2>",
            "<p>Jane Doe:</p>",
        ] {
            check(
                &format!("<h1>The ferry sails on</h1>{sentence}{TEXT}"),
                &format!("{sentence}{TEXT}"),
            );
        }
    }

    #[test]
    fn content_that_is_its_head_alone_stays() {
        let html = "<h1>The ferry sails on</h1><p>Jane Doe</p>";
        check(html, html);
        check(
            "<h1>The ferry sails on</h1><img src=\"a\">",
            "<img src=\"a\">",
        );
        check("", "");
    }
}
