//! Pages that list articles, for `gold/lists/`: thirteen makings, each on three days. Every day one
//! more article stands on top and the last one has left.

use super::article::Article;
use super::template::escape;
use serde_json::{Value, json};

/// The days of the snapshots.
pub const DAYS: [&str; 3] = ["day-1", "day-2", "day-3"];

/// Articles on a list at once; there are two more, for the second and the third day.
pub const LISTED: usize = 7;

/// A list of articles.
pub struct ListShape {
    /// Its site.
    pub host: &'static str,
    /// The site of `sites.txt` whose words it has.
    pub words_of: &'static str,
    /// The main list, from the articles on it, the newest first.
    main: fn(&[Link]) -> String,
}

/// An article as a list shows it.
pub struct Link<'a> {
    article: &'a Article,
    path: String,
}

impl Link<'_> {
    fn title(&self) -> String {
        escape(&self.article.topic.title)
    }

    fn day(&self) -> String {
        self.article.published.format("%Y-%m-%d").to_string()
    }

    fn in_words(&self) -> String {
        self.article.published.format("%-d %B %Y").to_string()
    }

    fn teaser(&self) -> String {
        escape(&self.article.cut(18))
    }
}

/// The makings.
pub const SHAPES: [ListShape; 13] = [
    ListShape {
        host: "blog-home.example",
        words_of: "harbour-gazette.example",
        main: blog,
    },
    ListShape {
        host: "press-office.example",
        words_of: "kitchen-ledger.example",
        main: table,
    },
    ListShape {
        host: "by-month.example",
        words_of: "plain-notes.example",
        main: months,
    },
    ListShape {
        host: "cards.example",
        words_of: "northfield-review.example",
        main: cards,
    },
    ListShape {
        host: "section-page.example",
        words_of: "meridian-daily.example",
        main: blocks,
    },
    ListShape {
        host: "definition-list.example",
        words_of: "old-mill-times.example",
        main: definitions,
    },
    ListShape {
        host: "flat-headings.example",
        words_of: "fenland-wiki.example",
        main: flat,
    },
    ListShape {
        host: "beside-others.example",
        words_of: "harbour-gazette.example",
        main: beside,
    },
    ListShape {
        host: "yearly-archive.example",
        words_of: "tagesbote-lindach.example",
        main: years,
    },
    ListShape {
        host: "own-classes.example",
        words_of: "gazette-du-val.example",
        main: hashed,
    },
    ListShape {
        host: "json-state.example",
        words_of: "harbour-gazette.example",
        main: state,
    },
    ListShape {
        host: "json-names.example",
        words_of: "northfield-review.example",
        main: names_alone,
    },
    ListShape {
        host: "unlike-blocks.example",
        words_of: "meridian-daily.example",
        main: unlike,
    },
];

impl ListShape {
    /// The page of a day and its items, from all articles of its site, the newest first.
    pub fn page(&self, articles: &[Article], day: usize) -> (String, Value) {
        let first = DAYS.len() - 1 - day;
        let shown = &articles[first..(first + LISTED).min(articles.len())];
        let links: Vec<Link> = shown
            .iter()
            .map(|article| Link {
                article,
                path: format!("/{}/{}", article.published.format("%Y"), article.topic.slug),
            })
            .collect();
        let main = (self.main)(&links);
        let name = self.host.trim_end_matches(".example").replace('-', " ");
        let html = format!(
            "<!DOCTYPE html>\n<html lang=\"{}\">\n<head><meta charset=\"utf-8\"><title>{name}</title></head>\n<body>\n\
             <header><a href=\"/\">{name}</a>\n<nav class=\"main-nav\"><ul><li><a href=\"/news\">News</a></li>\
             <li><a href=\"/sport\">Sport</a></li><li><a href=\"/letters-to-the-editor\">Letters to the editor</a></li>\
             </ul></nav></header>\n{main}\n<footer><p><a href=\"/about-us\">About us</a> <a href=\"/terms-of-use\">Terms \
             of use</a></p></footer>\n</body>\n</html>\n",
            language(self.words_of)
        );
        let items: Vec<Value> = links
            .iter()
            .map(|link| {
                json!({
                    "link": format!("https://{}{}", self.host, link.path),
                    "title": link.article.topic.title,
                    "date": link.day(),
                })
            })
            .collect();
        let truth =
            json!({"index.html": {"url": format!("https://{}/", self.host), "items": items}});
        (html, truth)
    }
}

fn language(words_of: &str) -> &'static str {
    match words_of {
        "tagesbote-lindach.example" => "de",
        "gazette-du-val.example" => "fr",
        _ => "en",
    }
}

fn each(links: &[Link], item: impl Fn(&Link) -> String) -> String {
    links.iter().map(item).collect::<Vec<_>>().join("\n")
}

/// Teasers with a heading, a line with the day, and a link to read on; a pager below.
fn blog(links: &[Link]) -> String {
    let items = each(links, |l| {
        format!(
            "<article class=\"post\"><h2 class=\"entry-title\"><a href=\"{0}\" rel=\"bookmark\">{1}</a></h2>\
             <p class=\"meta\"><time datetime=\"{2}\">{3}</time> <a href=\"/author/editor\" rel=\"author\">The editor</a> \
             <a href=\"{0}#comments\">3 comments</a></p><p>{4} <a class=\"more-link\" href=\"{0}\">Read more</a></p></article>",
            l.path,
            l.title(),
            l.day(),
            l.in_words(),
            l.teaser()
        )
    });
    format!(
        "<main>\n{items}\n<div class=\"pager\"><a class=\"next\" rel=\"next\" href=\"/page/2\">Older posts</a></div>\n</main>"
    )
}

/// A table of press releases: day and title in cells.
fn table(links: &[Link]) -> String {
    let rows = each(links, |l| {
        format!(
            "<tr><td class=\"day\">{}</td><td><a href=\"{}\">{}</a></td><td><a href=\"{1}.pdf\">PDF</a></td></tr>",
            l.in_words(),
            l.path,
            l.title()
        )
    });
    format!(
        "<div id=\"content\"><h1>Press releases</h1>\n<table class=\"releases\"><tr><th>Date</th><th>Release</th><th>File</th></tr>\n{rows}\n</table></div>"
    )
}

/// Lists below a heading for each month; the days alone stand beside the titles.
fn months(links: &[Link]) -> String {
    let mut out = String::from("<section class=\"archive\">");
    let mut month = String::new();
    for link in links {
        let own = link.article.published.format("%B %Y").to_string();
        if own != month {
            if !month.is_empty() {
                out.push_str("</ul>");
            }
            out.push_str(&format!("\n<h3>{own}</h3>\n<ul>"));
            month = own;
        }
        let day = link.article.published.format("%-d");
        out.push_str(&format!(
            "\n<li><span class=\"day\">{day}</span> <a href=\"{}\">{}</a></li>",
            link.path,
            link.title()
        ));
    }
    out + "</ul>\n</section>"
}

/// Cards that are one link each.
fn cards(links: &[Link]) -> String {
    let items = each(links, |l| {
        format!(
            "<a class=\"card\" href=\"{}\"><img src=\"/pictures/{}.jpg\" alt=\"\"><span class=\"card-label\">Review</span>\
             <h3 class=\"card-title\">{}</h3><p class=\"card-date\">{}</p><p class=\"card-text\">{}</p></a>",
            l.path,
            l.article.topic.slug,
            l.title(),
            l.in_words(),
            l.teaser()
        )
    });
    format!("<div class=\"grid\">\n{items}\n</div>")
}

/// A newspaper's section: a lead, two columns, a list, each of its own look.
fn blocks(links: &[Link]) -> String {
    let item = |at: usize| {
        let l = &links[at];
        let (class, tag) = match at {
            0 => ("lead story", "h1"),
            1 | 2 => ("column story", "h2"),
            _ => ("line story", "h3"),
        };
        let picture = match at {
            0..=2 => format!(
                "<figure><a href=\"{}\"><img src=\"/p/{}.jpg\" alt=\"\"></a></figure>",
                l.path, l.article.topic.slug
            ),
            _ => String::new(),
        };
        format!(
            "<article class=\"{class}\">{picture}<{tag}><a href=\"{}\">{}</a></{tag}><time datetime=\"{}T08:00:00Z\">{}</time>{}</article>",
            l.path,
            l.title(),
            l.day(),
            l.in_words(),
            if at < 3 {
                format!("<p>{}</p>", l.teaser())
            } else {
                String::new()
            }
        )
    };
    let part = |range: std::ops::Range<usize>| range.map(item).collect::<Vec<_>>().join("\n");
    format!(
        "<main>\n<section class=\"top\">\n{}\n</section>\n<section class=\"columns\">\n{}\n</section>\n<section class=\"more\">\n{}\n</section>\n</main>\n\
         <aside class=\"most-read\"><h4>Most read</h4><ol><li><a href=\"/2019/an-older-story-that-many-read\">An older story that many \
         read</a></li><li><a href=\"/2018/another-one-of-these-stories\">Another one of these stories</a></li></ol></aside>",
        part(0..1),
        part(1..3),
        part(3..links.len())
    )
}

/// Days as terms, titles as their definitions.
fn definitions(links: &[Link]) -> String {
    let items = each(links, |l| {
        format!(
            "<dt>{}</dt>\n<dd><a href=\"{}\">{}</a></dd>",
            l.in_words(),
            l.path,
            l.title()
        )
    });
    format!("<table><tr><td><dl>\n{items}\n</dl></td></tr></table>")
}

/// Headings and paragraphs side by side, without elements around them.
fn flat(links: &[Link]) -> String {
    let items = each(links, |l| {
        format!(
            "<h2><a href=\"{}\">{}</a></h2>\n<p class=\"when\">{}</p>\n<p>{}</p>",
            l.path,
            l.title(),
            l.in_words(),
            l.teaser()
        )
    });
    format!("<div id=\"bodyContent\">\n{items}\n</div>")
}

/// A short list among a cloud of tags, a calendar and the most read.
fn beside(links: &[Link]) -> String {
    let items = each(links, |l| {
        format!(
            "<li class=\"item\"><a href=\"{}\">{}</a> <small>{}</small></li>",
            l.path,
            l.title(),
            l.in_words()
        )
    });
    let tags: Vec<String> = [
        "harbour", "ferries", "fishing", "council", "schools", "roads", "weather", "museum",
        "market", "theatre", "music", "chess",
    ]
    .iter()
    .map(|tag| format!("<a href=\"/tag/{tag}\">{tag}</a>"))
    .collect();
    let days: Vec<String> = (1..=28)
        .map(|day| format!("<td><a href=\"/2026/05/{day:02}\">{day}</a></td>"))
        .collect();
    format!(
        "<div class=\"columns\"><div class=\"left\"><div class=\"tagcloud\">{}</div><table class=\"calendar\"><tr>{}</tr></table></div>\n\
         <div class=\"middle\"><ul class=\"latest\">\n{items}\n</ul></div>\n<div class=\"sidebar\"><h3>Most read</h3><ul>\
         <li><a href=\"/2017/the-great-storm-of-that-year\">The great storm of that year</a></li><li><a href=\"/2016/the-lighthouse-was-painted\">The \
         lighthouse was painted</a></li><li><a href=\"/2015/the-last-keeper-has-left-us\">The last keeper has left us</a></li></ul></div></div>",
        tags.join(" "),
        days.join("")
    )
}

/// An archive by years, with the day and the month before each title.
fn years(links: &[Link]) -> String {
    let mut out = String::from("<div class=\"archiv\">");
    let mut year = String::new();
    for link in links {
        let own = link.article.published.format("%Y").to_string();
        if own != year {
            if !year.is_empty() {
                out.push_str("</ul>");
            }
            out.push_str(&format!(
                "\n<h2 class=\"jahr\">{own}</h2>\n<ul class=\"liste\">"
            ));
            year = own;
        }
        let day = link.article.published.format("%d.%m.%Y");
        out.push_str(&format!(
            "\n<li>{day} <a href=\"{}\">{}</a></li>",
            link.path,
            link.title()
        ));
    }
    out + "</ul>\n</div>"
}

/// Names that a program made, anew with each release of the site.
fn hashed(links: &[Link]) -> String {
    let items = each(links, |l| {
        format!(
            "<div class=\"css-1x2y3z\"><div class=\"css-9a8b7c\"><a href=\"{}\"><span>{}</span></a></div><div class=\"css-5d6e7f\"><span>{}</span></div></div>",
            l.path,
            l.title(),
            l.day()
        )
    });
    format!("<main><div class=\"css-0q1w2e\">\n{items}\n</div></main>")
}

/// JSON in a script, as HTML may hold it.
fn script(id: &str, value: &Value) -> String {
    let json = value.to_string().replace("</", "<\\/");
    format!("<script id=\"{id}\" type=\"application/json\">{json}</script>")
}

/// The state of an application, with nothing in the elements; a menu and the most read are
/// in the state, too.
fn state(links: &[Link]) -> String {
    let posts: Vec<Value> = links
        .iter()
        .map(|l| {
            json!({"id": l.path.len(), "headline": l.article.topic.title, "url": l.path,
                "publishedAt": format!("{}T08:00:00Z", l.day()), "teaser": l.article.cut(18),
                "image": {"src": format!("/p/{}.jpg", l.article.topic.slug), "alt": ""},
                "author": {"name": "The editor", "url": "/author/editor"}})
        })
        .collect();
    let state = json!({"props": {"pageProps": {
        "menu": [{"title": "News", "url": "/news"}, {"title": "Sport", "url": "/sport"}, {"title": "Weather", "url": "/weather"}],
        "front": {"posts": posts},
        "mostRead": [
            {"headline": "An older story that many read", "url": "/2019/an-older-story-that-many-read"},
            {"headline": "Another one of these stories", "url": "/2018/another-one-of-these-stories"},
        ],
    }}});
    format!("<div id=\"app\"></div>\n{}", script("state", &state))
}

/// Records with a name for their address and the seconds since 1970; one link shows how an
/// address is made of a name.
fn names_alone(links: &[Link]) -> String {
    let edges: Vec<Value> = links
        .iter()
        .map(|l| {
            let published = l.article.published.and_utc();
            let slug = &l.article.topic.slug;
            json!({"node": {"slug": slug, "attributes": {"title": l.article.topic.title,
                "date": published.timestamp(), "summary": l.article.cut(18)}}})
        })
        .collect();
    let json = json!({"data": {"allReviews": {"edges": edges}}}).to_string();
    format!(
        "<div id=\"root\"><p>This page needs scripts. Begin with the <a href=\"{}\">newest review</a>.</p></div>\n\
         <script>window.__DATA__ = {};</script>",
        links[0].path,
        json.replace("</", "<\\/")
    )
}

/// A newspaper's section whose blocks have no name in common: a lead, cards that are one link
/// each, and rows of text; the most read beside them.
fn unlike(links: &[Link]) -> String {
    let lead = &links[0];
    let lead = format!(
        "<div class=\"hero\"><a href=\"{0}\"><img src=\"/p/{1}.jpg\" alt=\"\"></a><h2><a href=\"{0}\">{2}</a></h2>\
         <p class=\"standfirst\">{3}</p><span class=\"stamp\">{4}</span></div>",
        lead.path,
        lead.article.topic.slug,
        lead.title(),
        lead.teaser(),
        lead.in_words()
    );
    let cards = each(&links[1..3], |l| {
        format!(
            "<a class=\"tile\" href=\"{}\"><h3>{}</h3><time datetime=\"{}\">{}</time></a>",
            l.path,
            l.title(),
            l.day(),
            l.in_words()
        )
    });
    let rows = each(&links[3..], |l| {
        format!(
            "<li>{} <a href=\"{}\">{}</a></li>",
            l.day(),
            l.path,
            l.title()
        )
    });
    format!(
        "<main>\n{lead}\n<div class=\"tiles\">\n{cards}\n</div>\n<h4>In brief</h4>\n<ul class=\"brief\">\n{rows}\n</ul>\n\
         <div class=\"box\"><h4>Most read</h4><ol><li><a href=\"/2019/an-older-story-that-many-read\">An older story that many \
         read</a></li><li><a href=\"/2018/another-one-of-these-stories\">Another one of these stories</a></li>\
         <li><a href=\"/2017/the-third-of-these-stories\">The third of these stories</a></li></ol></div>\n</main>"
    )
}
