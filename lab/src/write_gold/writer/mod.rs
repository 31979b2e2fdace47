//! Writes `gold/`: every file of it is a function of the words in `text/`, the
//! templates in `templates/` and the settings in `sites.txt`.

mod article;
mod feeds;
mod lists;
mod locale;
mod own_json;
mod page;
mod site;
mod template;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::json;

use article::Article;
use feeds::Entry;
use site::Site;
use template::{Context, Value, context, escape, render};
use text::{Bank, read};

/// All files of `gold/` by their path in it, written from `source`, the folder
/// of this program.
pub fn files(source: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let mut files = BTreeMap::new();
    for site in site::parse(&read(&source.join("sites.txt"))?)? {
        let bank = Bank::read(&source.join("text"), &site)?;
        write_site(&site, &bank, &source.join("templates"), &mut files)?;
    }
    Ok(files)
}

/// A site of `sites.txt` and its articles, whose words other pages have, too.
fn articles_of<'a>(
    sites: &'a [Site],
    host: &str,
    source: &Path,
) -> Result<(&'a Site, Vec<Article>), String> {
    let site = sites.iter().find(|site| site.host == host);
    let site = site.ok_or_else(|| format!("sites.txt lacks [{host}]"))?;
    let bank = Bank::read(&source.join("text"), site)?;
    Ok((site, article::write(site, &bank)?))
}

/// All files of `gold/lists/` by their path in `gold/`: pages that list the articles of other
/// sites, on three days.
pub fn list_files(source: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let sites = site::parse(&read(&source.join("sites.txt"))?)?;
    let mut files = BTreeMap::new();
    for shape in &lists::SHAPES {
        let (_, mut articles) = articles_of(&sites, shape.words_of, source)?;
        articles.sort_by_key(|article| std::cmp::Reverse(article.published));
        for (at, day) in lists::DAYS.iter().enumerate() {
            let (html, truth) = shape.page(&articles, at);
            let folder = format!("lists/{}/{day}", shape.host);
            files.insert(format!("{folder}/index.html"), html.into_bytes());
            let truth = serde_json::to_string_pretty(&truth).expect("strings are JSON") + "\n";
            files.insert(format!("{folder}/truth.json"), truth.into_bytes());
        }
    }
    Ok(files)
}

/// All files of `gold/json/` by their path in `gold/`: the words of other sites on pages that
/// have their text in their own JSON.
pub fn json_files(source: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let sites = site::parse(&read(&source.join("sites.txt"))?)?;
    let mut files = BTreeMap::new();
    for shape in &own_json::SITES {
        let (words, mut articles) = articles_of(&sites, shape.words_of, source)?;
        articles.truncate(own_json::PAGES);
        for article in &mut articles {
            article.url = format!("https://{}/{}", shape.host, article.topic.slug);
        }
        for article in &articles {
            let stem = format!("json/{}/{}", shape.host, article.topic.slug);
            let html = shape.html(article, &articles);
            files.insert(format!("{stem}.html"), html.into_bytes());
            files.insert(format!("{stem}.json"), gold(words, article).into_bytes());
        }
        let mut of_feed = words.clone();
        of_feed.host = shape.host.to_owned();
        let entries: Vec<Entry> = articles.iter().map(|a| entry(a, &a.url)).collect();
        let feed = feeds::write(&of_feed, "rss20", &entries)?;
        files.insert(format!("json/{}/feed.xml", shape.host), feed.into_bytes());
    }
    Ok(files)
}

/// The files in the sites' folders of `gold` that differ from `files`, are
/// missing or should not be there. What lies beside the folders (this gold's
/// README) is written by hand and is not looked at.
pub fn differences(files: &BTreeMap<String, Vec<u8>>, gold: &Path) -> Result<Vec<String>, String> {
    let mut names: BTreeSet<String> = files
        .iter()
        .filter(|(name, content)| std::fs::read(gold.join(name)).ok().as_ref() != Some(content))
        .map(|(name, _)| name.clone())
        .collect();
    let mut folders = list(gold)?;
    folders.extend(list(&gold.join("json"))?);
    for site in list(&gold.join("lists"))? {
        folders.extend(list(&site)?);
    }
    let is_day = |path: &Path| lists::DAYS.iter().any(|day| path.ends_with(day));
    for folder in folders.iter().filter(|path| is_site(path) || is_day(path)) {
        for path in list(folder)? {
            let name = path
                .strip_prefix(gold)
                .unwrap_or(&path)
                .to_string_lossy()
                .replace('\\', "/");
            if !files.contains_key(&name) {
                names.insert(name);
            }
        }
    }
    Ok(names.into_iter().collect())
}

/// True if a folder of the gold is a site, which is written here; others are written
/// by hand.
fn is_site(folder: &Path) -> bool {
    folder.is_dir() && folder.extension().is_some_and(|end| end == "example")
}

/// The paths in a folder; empty if there is no such folder.
fn list(folder: &Path) -> Result<Vec<PathBuf>, String> {
    match std::fs::read_dir(folder) {
        Ok(entries) => Ok(entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(format!("cannot read {}: {error}", folder.display())),
    }
}

fn write_site(
    site: &Site,
    bank: &Bank,
    templates: &Path,
    files: &mut BTreeMap<String, Vec<u8>>,
) -> Result<(), String> {
    let articles = article::write(site, bank)?;
    let mut entries: Vec<Entry> = articles
        .iter()
        .map(|article| entry(article, &article.url))
        .collect();
    let second = site.numbers("second")?;
    for article in &articles {
        let name = match site.optional("template2") {
            Some(other) if second.contains(&article.index) => other,
            _ => site.get("template")?,
        };
        let filled = page::fill(site, bank, &articles, article)?;
        let html = render(&read(&templates.join(format!("{name}.html")))?, &filled)
            .map_err(|error| format!("{name}.html: {error}"))?;
        let stem = format!("{}/{}", site.host, article.page);
        files.insert(format!("{stem}.html"), encode(site, &html, &stem)?);
        files.insert(format!("{stem}.json"), gold(site, article).into_bytes());
    }
    for word in site.optional("extra").unwrap_or("").split_whitespace() {
        let (stem, entry, html) = extra(site, bank, &articles, templates, word)?;
        let at = entries.len() / 2 + entries.len() % 3;
        entries.insert(at, entry);
        if let Some(html) = html {
            files.insert(
                format!("{}/{stem}.html", site.host),
                encode(site, &html, &stem)?,
            );
        }
    }
    entries.reverse();
    for pair in site.get("feeds")?.split_whitespace() {
        let (format, name) = pair
            .split_once(':')
            .ok_or_else(|| format!("sites.txt: [{}] feeds: format:file", site.host))?;
        let feed = feeds::write(site, format, &entries)?;
        let bytes = match format {
            "rss091" => encode(site, &feed, name)?,
            _ => feed.into_bytes(),
        };
        files.insert(format!("{}/{name}", site.host), bytes);
    }
    Ok(())
}

fn entry(article: &Article, url: &str) -> Entry {
    let html = article
        .paragraphs
        .first()
        .map(|text| format!("<p>{}</p>\n<p><a href=\"{url}\">…</a></p>", escape(text)))
        .unwrap_or_default();
    Entry {
        title: article.topic.title.clone(),
        url: url.to_owned(),
        summary: article.cut(30),
        html,
        author: article.author.clone(),
        published: article.published,
    }
}

/// A page of the feed that is no article: `gone`, `duplicate`, or a template of
/// its own (`shop`, `event`, `consent`). The stem, the feed's entry and, unless
/// it is gone, the page.
fn extra(
    site: &Site,
    bank: &Bank,
    articles: &[Article],
    templates: &Path,
    kind: &str,
) -> Result<(String, Entry, Option<String>), String> {
    let model = &articles[4];
    let stem = format!("{}-{kind}", model.page);
    let url = model.url.replace(&model.page, &stem);
    let mut entry = entry(model, &url);
    let mut filled: Context = page::fill(site, bank, articles, model)?;
    let name = if kind == "duplicate" {
        site.get("template")?
    } else {
        kind
    };
    if kind != "duplicate" {
        let title = site.get(&format!("{kind}_title"))?;
        entry.title = title.to_owned();
        entry.summary = title.to_owned();
        entry.html = format!("<p>{}</p>", escape(title));
        filled.extend(context(&[("title", title), ("url", &url)]));
    } else if let Some(Value::List(comments)) = filled.get_mut("comments") {
        comments.pop();
    }
    if kind == "gone" {
        return Ok((stem, entry, None));
    }
    let html = render(&read(&templates.join(format!("{name}.html")))?, &filled)
        .map_err(|error| format!("{name}.html: {error}"))?;
    Ok((stem, entry, Some(html)))
}

fn gold(site: &Site, article: &Article) -> String {
    let body = article.text();
    let headed = format!("{}\n{body}", article.topic.title);
    let value = json!({
        "url": article.url,
        "title": article.topic.title,
        "text": body,
        "refs": [body, headed],
        "lang": site.language(),
        "gold": "generated",
        "published": article.published.format("%Y-%m-%dT%H:%M:00+00:00").to_string(),
        "author": article.author,
    });
    format!("{value:#}\n")
}

/// The bytes of `html` in the site's charset; a character that it lacks is an
/// error, since browsers of its time would have shown a question mark.
fn encode(site: &Site, html: &str, name: &str) -> Result<Vec<u8>, String> {
    let label = site.optional("charset").unwrap_or("utf-8");
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes())
        .ok_or_else(|| format!("sites.txt: [{}] charset: `{label}` is unknown", site.host))?;
    let (bytes, _, lossy) = encoding.encode(html);
    if lossy {
        return Err(format!("{name}: a character is not in {label}"));
    }
    Ok(bytes.into_owned())
}
