//! Feeds in the formats that sites have: RSS 2.0, 0.91 and 1.0, Atom, JSON Feed.

use chrono::NaiveDateTime;
use serde_json::json;

use super::site::Site;
use super::template::escape;

/// One entry of a feed.
pub struct Entry {
    /// Its headline.
    pub title: String,
    /// The page's address, absolute.
    pub url: String,
    /// The first thirty words, as text.
    pub summary: String,
    /// A few paragraphs, as HTML.
    pub html: String,
    /// The author.
    pub author: String,
    /// When.
    pub published: NaiveDateTime,
}

fn rfc822(date: NaiveDateTime) -> String {
    date.format("%a, %d %b %Y %H:%M:00 +0000").to_string()
}

fn rfc3339(date: NaiveDateTime) -> String {
    date.format("%Y-%m-%dT%H:%M:00Z").to_string()
}

/// The feed of `site` in `format`; `entries` come newest first.
pub fn write(site: &Site, format: &str, entries: &[Entry]) -> Result<String, String> {
    let xml = match format {
        "rss20" => rss20(site, entries)?,
        "rss091" => rss091(site, entries)?,
        "rss10" => rss10(site, entries)?,
        "atom" => atom(site, entries)?,
        "json" => json_feed(site, entries)?,
        other => {
            return Err(format!(
                "sites.txt: [{}] feed: unknown format `{other}`",
                site.host
            ));
        }
    };
    Ok(xml)
}

/// A link as the site's feed writes it: `links relative` leaves out the host.
fn link(site: &Site, url: &str) -> String {
    let host = format!("https://{}", site.host);
    match site.optional("links") {
        Some("relative") => url.strip_prefix(&host).unwrap_or(url).to_owned(),
        Some("base") => url
            .strip_prefix(&format!("{host}/"))
            .unwrap_or(url)
            .to_owned(),
        _ => url.to_owned(),
    }
}

/// The description as the site's feed writes it.
fn description(site: &Site, entry: &Entry) -> Result<String, String> {
    Ok(match site.get("summary")? {
        "cut" => escape(&entry.summary),
        "html" => escape(&format!("<p>{}</p>", escape(&entry.summary))),
        "cdata" => format!("<![CDATA[{}]]>", entry.html),
        _ => String::new(),
    })
}

fn rss20(site: &Site, entries: &[Entry]) -> Result<String, String> {
    let host = &site.host;
    let name = escape(site.get("name")?);
    let lang = site.get("lang")?;
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
         xmlns:atom=\"http://www.w3.org/2005/Atom\">\n<channel>\n<title>{name}</title>\n\
         <link>https://{host}/</link>\n<description>{name}</description>\n\
         <language>{lang}</language>\n\
         <atom:link href=\"https://{host}/feed.xml\" rel=\"self\" type=\"application/rss+xml\"/>\n"
    );
    for entry in entries {
        out.push_str(&format!(
            "<item>\n<title>{}</title>\n<link>{}</link>\n<guid isPermaLink=\"false\">{}</guid>\n\
             <dc:creator>{}</dc:creator>\n<pubDate>{}</pubDate>\n\
             <description>{}</description>\n</item>\n",
            escape(&entry.title),
            escape(&link(site, &entry.url)),
            escape(&entry.url),
            escape(&entry.author),
            rfc822(entry.published),
            description(site, entry)?,
        ));
    }
    out.push_str("</channel>\n</rss>\n");
    Ok(out)
}

fn rss091(site: &Site, entries: &[Entry]) -> Result<String, String> {
    let name = escape(site.get("name")?);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<rss version=\"0.91\">\n<channel>\n\
         <title>{name}</title>\n<link>http://{}/</link>\n<description>{name}</description>\n\
         <language>en-us</language>\n",
        site.host
    );
    for entry in entries {
        out.push_str(&format!(
            "<item>\n<title>{}</title>\n<link>{}</link>\n<description>{}</description>\n</item>\n",
            escape(&entry.title),
            escape(&link(site, &entry.url)),
            description(site, entry)?,
        ));
    }
    out.push_str("</channel>\n</rss>\n");
    Ok(out)
}

fn rss10(site: &Site, entries: &[Entry]) -> Result<String, String> {
    let name = escape(site.get("name")?);
    let host = &site.host;
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" \
         xmlns=\"http://purl.org/rss/1.0/\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n\
         <channel rdf:about=\"https://{host}/feed.xml\">\n<title>{name}</title>\n\
         <link>https://{host}/</link>\n<description>{name}</description>\n<items><rdf:Seq>\n"
    );
    for entry in entries {
        out.push_str(&format!(
            "<rdf:li rdf:resource=\"{}\"/>\n",
            escape(&entry.url)
        ));
    }
    out.push_str("</rdf:Seq></items>\n</channel>\n");
    for entry in entries {
        let url = escape(&entry.url);
        out.push_str(&format!(
            "<item rdf:about=\"{url}\">\n<title>{}</title>\n<link>{url}</link>\n\
             <description>{}</description>\n<dc:creator>{}</dc:creator>\n\
             <dc:date>{}</dc:date>\n</item>\n",
            escape(&entry.title),
            description(site, entry)?,
            escape(&entry.author),
            rfc3339(entry.published),
        ));
    }
    out.push_str("</rdf:RDF>\n");
    Ok(out)
}

fn atom(site: &Site, entries: &[Entry]) -> Result<String, String> {
    let name = escape(site.get("name")?);
    let host = &site.host;
    let base = match site.optional("links") {
        Some("base") => format!(" xml:base=\"https://{host}/\""),
        _ => String::new(),
    };
    let updated = entries
        .first()
        .map(|entry| rfc3339(entry.published))
        .unwrap_or_default();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"{}\"{base}>\n\
         <title>{name}</title>\n<id>https://{host}/</id>\n<updated>{updated}</updated>\n\
         <link rel=\"alternate\" href=\"https://{host}/\"/>\n",
        site.get("lang")?,
    );
    for entry in entries {
        let kind = if site.get("summary")? == "cut" {
            "text"
        } else {
            "html"
        };
        out.push_str(&format!(
            "<entry>\n<title>{}</title>\n<id>tag:{host},{}:{}</id>\n\
             <link rel=\"alternate\" type=\"text/html\" href=\"{}\"/>\n\
             <published>{date}</published>\n<updated>{date}</updated>\n\
             <author><name>{}</name></author>\n<summary type=\"{kind}\">{}</summary>\n</entry>\n",
            escape(&entry.title),
            entry.published.format("%Y"),
            escape(&entry.url),
            escape(&link(site, &entry.url)),
            escape(&entry.author),
            description(site, entry)?,
            date = rfc3339(entry.published),
        ));
    }
    out.push_str("</feed>\n");
    Ok(out)
}

fn json_feed(site: &Site, entries: &[Entry]) -> Result<String, String> {
    let host = &site.host;
    let items: Vec<_> = entries
        .iter()
        .map(|entry| {
            json!({
                "id": entry.url,
                "url": link(site, &entry.url),
                "title": entry.title,
                "content_html": format!("<p>{}</p>", escape(&entry.summary)),
                "date_published": rfc3339(entry.published),
                "authors": [{"name": entry.author}],
            })
        })
        .collect();
    let feed = json!({
        "version": "https://jsonfeed.org/version/1.1",
        "title": site.get("name")?,
        "home_page_url": format!("https://{host}/"),
        "feed_url": format!("https://{host}/feed.json"),
        "language": site.get("lang")?,
        "items": items,
    });
    Ok(format!("{feed:#}\n"))
}
