//! The values that fill the templates of a page.

use serde_json::json;

use super::article::{Article, cut};
use super::locale::Locale;
use super::site::Site;
use super::template::{Context, Value, context, escape};
use super::text::Bank;
use crate::rng::Rng;

/// The context of `article`'s page.
pub fn fill(
    site: &Site,
    bank: &Bank,
    articles: &[Article],
    article: &Article,
) -> Result<Context, String> {
    let mut rng = Rng::named(&article.url);
    let paragraphs = paragraphs(site, article);
    let parts = paragraphs.len() / 3;
    let date = article.published;
    let locale = &bank.locale;
    let mut page = context(&[
        ("site", site.get("name")?),
        ("host", &site.host),
        ("lang", site.get("lang")?),
        ("title", &article.topic.title),
        ("url", &article.url),
        ("page", &article.page),
        ("slug", &article.topic.slug),
        ("number", &article.number.to_string()),
        ("hash", &article.hash),
        ("iso", &date.format("%Y-%m-%dT%H:%M:00+00:00").to_string()),
        ("day", &date.format("%Y-%m-%d").to_string()),
        ("date", &locale.date(date, site.get("date")?)),
        ("author", &article.author),
        ("author_slug", &slug(&article.author)),
        ("bio", &article.bio),
        ("caption", &article.caption),
        ("summary", &article.cut(30)),
        ("keywords", &tags(article).join(", ")),
        ("ncomments", &locale.number(article.comments.len())),
        ("views", &locale.number(rng.between(310, 9400))),
        ("jsonld", &json_ld(site, article)?),
        ("data", &page_data(article)),
    ]);
    let meta = !site.numbers("bare")?.contains(&article.index);
    page.insert(
        "meta".to_owned(),
        Value::Text(if meta { "1" } else { "" }.to_owned()),
    );
    let mut list =
        |name: &str, entries: Vec<Context>| page.insert(name.to_owned(), Value::List(entries));
    list("lead", paragraphs[..1].to_vec());
    list("rest", paragraphs[1..].to_vec());
    list("part1", paragraphs[1..=parts].to_vec());
    list("part2", paragraphs[parts + 1..=2 * parts].to_vec());
    list("part3", paragraphs[2 * parts + 1..].to_vec());
    list("paras", paragraphs);
    list(
        "tags",
        tags(article)
            .iter()
            .map(|tag| context(&[("tag", tag), ("tag_slug", &slug(tag))]))
            .collect(),
    );
    list(
        "two_tags",
        tags(article)
            .iter()
            .rev()
            .take(2)
            .map(|tag| context(&[("tag", tag), ("tag_slug", &slug(tag))]))
            .collect(),
    );
    list("comments", comments(site, locale, article)?);
    let others = |step, count| others(site, locale, articles, article, step, count);
    list("related", others(3, 4)?);
    list("recent", others(1, 5)?);
    list("popular", popular(site, bank, &mut rng)?);
    list(
        "ads",
        bank.deck("ad")?
            .iter()
            .take(3)
            .map(|ad| context(&[("ad", ad)]))
            .collect(),
    );
    list("archive", archive(locale, article, &mut rng));
    list("next", others(1, 1)?);
    list("previous", others(articles.len() - 1, 1)?);
    Ok(page)
}

/// The tags of an article: its place, its thing and its parts.
pub fn tags(article: &Article) -> Vec<String> {
    [
        "noun", "nouns", "sache", "leute", "gens", "gente", "place", "a", "b", "c",
    ]
    .iter()
    .filter_map(|slot| article.topic.slots.get(*slot))
    .filter(|tag| tag.split(' ').count() < 3)
    .cloned()
    .collect()
}

fn slug(text: &str) -> String {
    text.to_lowercase().replace([' ', '\'', '.'], "-")
}

/// The body's paragraphs as HTML, with the marks that the site's authors use.
fn paragraphs(site: &Site, article: &Article) -> Vec<Context> {
    let slots = &article.topic.slots;
    let mut minutes = 0;
    article
        .paragraphs
        .iter()
        .enumerate()
        .map(|(at, text)| {
            let mut html = escape(text);
            let (slot, before, after) = match (site.optional("marks"), at % 4) {
                (Some("links"), 1) => ("org", "<a href=\"/topic/\">", "</a>"),
                (Some("links"), 2) => ("who", "<strong>", "</strong>"),
                (Some("links"), 3) => ("b", "<em>", "</em>"),
                (Some("bold"), 1 | 3) => ("who", "<b>", "</b>"),
                _ => ("", "", ""),
            };
            if let Some(word) = slots.get(slot).map(|word| escape(word)) {
                html = html.replacen(&word, &format!("{before}{word}{after}"), 1);
            }
            minutes += 11;
            context(&[
                ("html", &html),
                ("text", text),
                ("at", &(at + 1).to_string()),
                (
                    "time",
                    &format!("{:02}:{:02}", 8 + minutes / 60, minutes % 60),
                ),
            ])
        })
        .collect()
}

fn comments(site: &Site, locale: &Locale, article: &Article) -> Result<Vec<Context>, String> {
    let format = site.get("date")?;
    Ok(article
        .comments
        .iter()
        .enumerate()
        .map(|(at, comment)| {
            context(&[
                ("cid", &(article.number * 20 + at).to_string()),
                ("floor", &(at + 2).to_string()),
                ("name", &comment.name),
                ("cdate", &locale.date(comment.date, format)),
                (
                    "ciso",
                    &comment.date.format("%Y-%m-%dT%H:%M:00+00:00").to_string(),
                ),
                ("said", &comment.text),
            ])
        })
        .collect())
}

/// `count` other articles of the site, `step` places on and further.
fn others(
    site: &Site,
    locale: &Locale,
    articles: &[Article],
    article: &Article,
    step: usize,
    count: usize,
) -> Result<Vec<Context>, String> {
    let format = site.get("date")?;
    Ok((0..count)
        .map(|at| &articles[(article.index + step + at) % articles.len()])
        .filter(|other| other.index != article.index)
        .map(|other| {
            context(&[
                ("rtitle", &other.topic.title),
                ("rurl", &other.url),
                ("rpage", &other.page),
                ("rnumber", &other.number.to_string()),
                ("rday", &other.published.format("%Y-%m-%d").to_string()),
                ("rdate", &locale.date(other.published, format)),
                (
                    "rsummary",
                    &cut(other.paragraphs.last().unwrap_or(&other.caption), 18),
                ),
            ])
        })
        .collect())
}

/// Headlines of articles that are not in the sample: other topics in the
/// site's language.
fn popular(site: &Site, bank: &Bank, rng: &mut Rng) -> Result<Vec<Context>, String> {
    let group = site.get("group")?;
    let all: Vec<_> = bank
        .topics
        .iter()
        .filter(|topic| topic.group != group)
        .collect();
    if all.is_empty() {
        return Ok(Vec::new());
    }
    let from = rng.between(0, all.len() - 1);
    Ok((0..5)
        .map(|at| all[(from + at * 3) % all.len()])
        .map(|topic| context(&[("ptitle", &topic.title), ("pslug", &topic.slug)]))
        .collect())
}

/// Two years of months, in the site's calendar: as in addresses (`month`), and as they are shown.
fn archive(locale: &Locale, article: &Article, rng: &mut Rng) -> Vec<Context> {
    let (year, _, _) = locale.day(article.published.date());
    (0..24)
        .map(|at| {
            let month = format!("{}-{:02}", year - at / 12, 12 - at % 12);
            context(&[
                ("month", &month),
                ("shown", &locale.number(&month)),
                ("count", &locale.number(rng.between(4, 31))),
            ])
        })
        .collect()
}

fn json_ld(site: &Site, article: &Article) -> Result<String, String> {
    let value = json!({
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": article.topic.title,
        "datePublished": article.published.format("%Y-%m-%dT%H:%M:00+00:00").to_string(),
        "author": {"@type": "Person", "name": article.author},
        "publisher": {"@type": "Organization", "name": site.get("name")?},
        "mainEntityOfPage": article.url,
        "inLanguage": site.get("lang")?,
        "image": format!("https://{}/media/{}.jpg", site.host, article.topic.slug),
    });
    Ok(value.to_string().replace("</", "<\\/"))
}

/// The article as the JSON that a script framework leaves in its pages.
fn page_data(article: &Article) -> String {
    let blocks: Vec<_> = article
        .paragraphs
        .iter()
        .map(|text| json!({"type": "paragraph", "text": text}))
        .collect();
    let value = json!({"props": {"pageProps": {"id": article.number,
        "headline": article.topic.title, "blocks": blocks}}});
    value.to_string().replace("</", "<\\/")
}
