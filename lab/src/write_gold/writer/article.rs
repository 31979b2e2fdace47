//! The articles of a site: words, names, dates and addresses, before any
//! template.

use std::collections::BTreeSet;

use chrono::{Datelike, Duration, NaiveDateTime};
use forest_html::text::is_unspaced;

use super::site::Site;
use super::text::{Bank, Topic};
use crate::rng::{Deck, Rng};

/// Cards dealt in search of a frame that a page has not used yet, before
/// the deck is found too small: more than two rounds of the largest deck.
const MAX_DEALS: usize = 200;

/// One comment under an article.
#[derive(Debug, Clone)]
pub struct Comment {
    /// The author.
    pub name: String,
    /// The local time.
    pub date: NaiveDateTime,
    /// The plain text.
    pub text: String,
}

/// One article.
#[derive(Debug, Clone)]
pub struct Article {
    /// The topic.
    pub topic: Topic,
    /// Its place in the site's sequence, from 0.
    pub index: usize,
    /// The CMS's number.
    pub number: usize,
    /// Six hexadecimal digits, for sites that put them into addresses.
    pub hash: String,
    /// The page's file name without its ending.
    pub page: String,
    /// The full address.
    pub url: String,
    /// The body's paragraphs.
    pub paragraphs: Vec<String>,
    /// The caption of its picture.
    pub caption: String,
    /// The author.
    pub author: String,
    /// A sentence on the author.
    pub bio: String,
    /// When it was published.
    pub published: NaiveDateTime,
    /// Reader comments, oldest first.
    pub comments: Vec<Comment>,
}

impl Article {
    /// The body as gold: one block a line.
    pub fn text(&self) -> String {
        self.paragraphs.join("\n")
    }

    /// The body's first `words` words, with an ellipsis if anything is cut.
    pub fn cut(&self, words: usize) -> String {
        cut(&self.paragraphs.join(" "), words)
    }
}

/// The first `words` words of `text`; where no spaces part words, two characters are one.
pub fn cut(text: &str, words: usize) -> String {
    if has_unspaced_words(text) {
        return text.chars().take(words * 2).collect::<String>() + "…";
    }
    let spaced: Vec<&str> = text.split_whitespace().collect();
    if spaced.len() <= words {
        return text.to_owned();
    }
    spaced[..words].join(" ") + " …"
}

/// True for a text in a script that puts no spaces between words, as Chinese and Thai.
fn has_unspaced_words(text: &str) -> bool {
    let unspaced = text.chars().filter(|c| is_unspaced(*c)).count();
    unspaced * 2 > text.chars().count()
}

/// The ten articles of `site`, in the order of publication.
pub fn write(site: &Site, bank: &Bank) -> Result<Vec<Article>, String> {
    let mut rng = Rng::named(&site.host);
    let mut desk = Desk::open(site, bank)?;
    let start = NaiveDateTime::parse_from_str(site.get("start")?, "%Y-%m-%dT%H:%M")
        .map_err(|error| format!("sites.txt: [{}] start: {error}", site.host))?;
    let (first, step) = match site.numbers("number")?[..] {
        [first, step] => (first, step),
        _ => (1000, 7),
    };
    let mut published = start;
    let mut number = first;
    let mut articles = Vec::new();
    for (index, topic) in bank.group(site.get("group")?).into_iter().enumerate() {
        published += Duration::minutes(rng.between(1500, 5200) as i64);
        number += rng.between(1, step);
        let hash = format!("{:06x}", rng.next() & 0xff_ffff);
        let mut paragraphs = desk.paragraphs(topic, &mut rng)?;
        if let Some(currency) = site.optional("currency") {
            for paragraph in &mut paragraphs {
                *paragraph = paragraph.replace('£', currency);
            }
        }
        let mut article = Article {
            topic: topic.clone(),
            index,
            number,
            hash,
            page: String::new(),
            url: String::new(),
            paragraphs,
            caption: desk.line("caption", topic, &mut rng)?,
            author: match site.optional("author") {
                Some(name) => name.to_owned(),
                None => rng.pick(bank.deck("author")?).clone(),
            },
            bio: rng.pick(bank.deck("bio")?).clone(),
            published,
            comments: desk.comments(topic, published, &mut rng)?,
        };
        article.page = address(site.get("page")?, &article);
        article.url = format!(
            "https://{}{}",
            site.host,
            address(site.get("path")?, &article)
        );
        articles.push(article);
    }
    Ok(articles)
}

/// Fills the address pattern of a site: `{slug}`, `{n}`, `{hash}`, `{y}`,
/// `{m}`, `{d}`, `{page}`.
pub fn address(pattern: &str, article: &Article) -> String {
    let date = article.published;
    pattern
        .replace("{slug}", &article.topic.slug)
        .replace(
            "{Slug}",
            &super::text::capital(&article.topic.slug.replace('-', "_")),
        )
        .replace("{n}", &article.number.to_string())
        .replace("{hash}", &article.hash)
        .replace("{y}", &date.year().to_string())
        .replace("{m}", &format!("{:02}", date.month()))
        .replace("{d}", &format!("{:02}", date.day()))
        .replace("{page}", &article.page)
}

/// The decks of one site, dealt from as the articles are written.
struct Desk<'a> {
    bank: &'a Bank,
    frames: Deck,
    quotes: Option<Deck>,
    remarks: Deck,
    names: Deck,
    per_page: (usize, usize),
    comments: (usize, usize),
}

impl<'a> Desk<'a> {
    fn open(site: &Site, bank: &'a Bank) -> Result<Self, String> {
        let deck = |name: &str| -> Result<Deck, String> {
            Ok(Deck::new(
                bank.deck(name)?,
                &format!("{}/{name}", site.host),
            ))
        };
        Ok(Desk {
            bank,
            frames: deck(site.get("frames")?)?,
            quotes: site.optional("quotes").map(deck).transpose()?,
            remarks: deck("comment")?,
            names: deck("commenter")?,
            per_page: site.range("sentences")?,
            comments: site.range("comments")?,
        })
    }

    fn line(&self, deck: &str, topic: &Topic, rng: &mut Rng) -> Result<String, String> {
        let frame = rng.pick(self.bank.deck(deck)?).clone();
        self.bank.fill(&frame, topic, rng)
    }

    /// Own paragraphs and paragraphs of two or three frames, taking turns.
    fn paragraphs(&mut self, topic: &Topic, rng: &mut Rng) -> Result<Vec<String>, String> {
        let mut left = rng.between(self.per_page.0, self.per_page.1);
        let mut used = BTreeSet::new();
        let mut own = topic.own.iter();
        let mut paragraphs: Vec<String> = own.next().cloned().into_iter().collect();
        while left > 0 {
            let size = rng.between(2, 3).min(left);
            let mut sentences = Vec::new();
            for _ in 0..size {
                sentences.extend(fresh(self.bank, &mut self.frames, topic, rng, &mut used)?);
            }
            left -= size;
            let quote = match self.quotes.as_mut().filter(|_| rng.between(0, 9) < 4) {
                Some(quotes) => fresh(self.bank, quotes, topic, rng, &mut used)?,
                None => None,
            };
            paragraphs.push(sentences.join(self.bank.sentence_gap()));
            paragraphs.extend(quote);
            paragraphs.extend(own.next().cloned());
        }
        paragraphs.extend(own.cloned());
        Ok(paragraphs)
    }

    fn comments(
        &mut self,
        topic: &Topic,
        published: NaiveDateTime,
        rng: &mut Rng,
    ) -> Result<Vec<Comment>, String> {
        let mut used = BTreeSet::new();
        let mut date = published;
        let mut comments = Vec::new();
        for _ in 0..rng.between(self.comments.0, self.comments.1) {
            date += Duration::minutes(rng.between(7, 900) as i64);
            let mut said = Vec::new();
            for _ in 0..1 + usize::from(rng.between(0, 2) == 0) {
                said.extend(fresh(self.bank, &mut self.remarks, topic, rng, &mut used)?);
            }
            comments.push(Comment {
                name: self.names.deal(),
                date,
                text: said.join(self.bank.sentence_gap()),
            });
        }
        Ok(comments)
    }
}

/// The next sentence of `deck` whose frame this page has not `used` yet; `None`
/// if the deck is too small for that.
fn fresh(
    bank: &Bank,
    deck: &mut Deck,
    topic: &Topic,
    rng: &mut Rng,
    used: &mut BTreeSet<String>,
) -> Result<Option<String>, String> {
    for _ in 0..MAX_DEALS {
        let frame = deck.deal();
        if used.insert(frame.clone()) {
            return bank.fill(&frame, topic, rng).map(Some);
        }
    }
    Ok(None)
}
