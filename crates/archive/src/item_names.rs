//! The names of a feed's items: the one by which the archive knows an item, and the one by which
//! readers know its entry.
//!
//! An item is known by the feed's identifier of it, else by its link, else by a digest of its
//! contents. Some feeds give one identifier to many items: those are known by their links, and
//! those that share the link, too, by the identifier with a digest of their contents.
//!
//! A known item keeps its name while others come to share it, or leave the feed, and when its
//! identifier is another one but all else is the same. It also keeps
//! its entry's name, whatever becomes of its link: readers would show a renamed entry again.

use super::sql::Sql;
use crate::error::Result;
use forest_core::feed::{Feed, FeedItem, FeedVersion};
use forest_html::address::page_key;
use forest_html::text::{fold, hex, sha256_hex};
use rusqlite::{Connection, Row, params};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use url::{Url, form_urlencoded};

/// Maximum number of bytes of a name. A longer one is replaced by its digest.
const NAME_BYTES: usize = 8192;

/// The names of an item in an answer of its feed. Two items with one name are the same item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedItem {
    /// Its name among the items of its feed.
    pub name: String,
    /// The name of its entry in served feeds: an absolute IRI.
    pub entry: String,
    /// The digest of its fields.
    pub digest: String,
    /// The digest of the item that is known by this name; `None`: the item is new.
    pub known_digest: Option<String>,
    /// It is known, and nothing but its link is another.
    pub has_other_link_only: bool,
}

/// A known item of a feed.
struct KnownItem {
    name: String,
    link: String,
    digest: String,
    published: Option<String>,
    entry: String,
}

/// The names of a feed's items, in the order of the answer. `feed`: its address.
pub(super) fn name_items(db: &Connection, feed: &str, answer: &Feed) -> Result<Vec<NamedItem>> {
    let sql = "SELECT id, named FROM feeds WHERE url = ?1";
    let row = db.first(sql, [feed], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let (number, named) = row.unwrap_or((0, feed.to_owned()));
    let known = StoredNames { db, feed: number };
    Naming::of(&named, answer, &known).name_all()
}

/// The names of a feed's items, in the order of the answer, if no item is known. `feed`: its
/// address.
pub fn name_unknown_items(feed: &str, answer: &Feed) -> Vec<NamedItem> {
    let named = Naming::of(feed, answer, &NoNames).name_all();
    named.expect("nothing is read")
}

/// The thing that two items of a page have in common.
#[derive(Debug, Clone, Copy)]
enum Likeness<'a> {
    /// The digest of all their fields.
    Digest(&'a str),
    Title(&'a str),
}

/// The known items of a feed.
trait KnownNames {
    /// The item of this name.
    fn find(&self, name: &str) -> Result<Option<KnownItem>>;

    /// Items of a page that are alike in this, the oldest first.
    fn find_alike(&self, link: &str, likeness: Likeness<'_>) -> Result<Vec<KnownItem>>;
}

/// Of a feed without known items.
struct NoNames;

impl KnownNames for NoNames {
    fn find(&self, _: &str) -> Result<Option<KnownItem>> {
        Ok(None)
    }

    fn find_alike(&self, _: &str, _: Likeness<'_>) -> Result<Vec<KnownItem>> {
        Ok(Vec::new())
    }
}

/// Of a feed in the tables, by its number.
struct StoredNames<'a> {
    db: &'a Connection,
    feed: i64,
}

/// Maximum number of items that are compared with a new one: a feed that gives its items new
/// identifiers at each poll may have left many.
const MAX_ALIKE: usize = 8;

impl KnownNames for StoredNames<'_> {
    fn find(&self, name: &str) -> Result<Option<KnownItem>> {
        let sql =
            "SELECT item, link, digest, published, entry FROM items WHERE feed = ?1 AND item = ?2";
        self.db.first(sql, params![self.feed, name], known_item)
    }

    fn find_alike(&self, link: &str, likeness: Likeness<'_>) -> Result<Vec<KnownItem>> {
        let (column, value) = match likeness {
            Likeness::Digest(digest) => ("digest", digest),
            Likeness::Title(title) => ("title", title),
        };
        let sql = format!(
            "SELECT i.item, i.link, i.digest, i.published, i.entry FROM pages g \
             JOIN items i ON i.page = g.id AND i.{column} = ?3 AND i.feed = ?1 \
             WHERE g.key = ?2 ORDER BY i.first_seen, i.item LIMIT ?4"
        );
        let params = params![self.feed, page_key(link), value, MAX_ALIKE];
        self.db.all(&sql, params, known_item)
    }
}

fn known_item(row: &Row<'_>) -> rusqlite::Result<KnownItem> {
    Ok(KnownItem {
        name: row.get("item")?,
        link: row.get("link")?,
        digest: row.get("digest")?,
        published: row.get("published")?,
        entry: row.get("entry")?,
    })
}

/// An item before it is named.
struct NameDraft<'a> {
    item: &'a FeedItem,
    /// The feed's identifier; a position in the feed (`#1`) is none.
    guid: Option<String>,
    link: Option<String>,
    /// The identifier is the link.
    is_link: bool,
    /// Digest of its fields: see [`NamedItem::digest`].
    digest: String,
    /// Digest of the fields that tell apart what shares identifier and link.
    contents: String,
}

impl<'a> NameDraft<'a> {
    fn of(item: &'a FeedItem, is_list: bool) -> Self {
        let link = item.link.as_ref();
        let (digest, contents) = if is_list {
            (digest_listed(item), String::new())
        } else {
            (digest_item(item), digest_contents(item))
        };
        let is_link = link.is_some() && Url::parse(&item.id).ok().as_ref() == link;
        NameDraft {
            item,
            guid: (!item.id.is_empty() && !is_position(&item.id)).then(|| bounded(&item.id)),
            link: link.map(|link| bounded(link.as_str())),
            is_link,
            digest,
            contents,
        }
    }

    fn has_date_of(&self, known: &KnownItem) -> bool {
        self.item.date().map(ToString::to_string) == known.published
    }

    /// The name among items that share the name `coarse`.
    fn fine_name(&self, coarse: &str) -> String {
        bounded(&format!("{coarse} {}", self.contents))
    }
}

struct Naming<'a> {
    known: &'a dyn KnownNames,
    /// The name of the feed in those of its entries.
    named: &'a str,
    is_list: bool,
    drafts: Vec<NameDraft<'a>>,
    /// The identifiers in the answer.
    guids: HashSet<String>,
    /// The names that were given, each with the contents of its item.
    taken: HashMap<String, String>,
}

impl<'a> Naming<'a> {
    fn of(named: &'a str, answer: &'a Feed, known: &'a dyn KnownNames) -> Self {
        let is_list = answer.format == FeedVersion::List;
        let drafts = answer.items.iter().map(|item| NameDraft::of(item, is_list));
        let drafts: Vec<NameDraft<'_>> = drafts.collect();
        Naming {
            guids: drafts
                .iter()
                .filter_map(|draft| draft.guid.clone())
                .collect(),
            known,
            named,
            is_list,
            drafts,
            taken: HashMap::new(),
        }
    }

    fn name_all(&mut self) -> Result<Vec<NamedItem>> {
        let shared = self.guids_of_many_links();
        let coarse: Vec<String> = self
            .drafts
            .iter()
            .map(|draft| match (&draft.guid, &draft.link) {
                (Some(guid), Some(link)) if shared.contains(guid.as_str()) => link.clone(),
                (Some(guid), _) => guid.clone(),
                (None, Some(link)) => link.clone(),
                (None, None) => draft.contents.clone(),
            })
            .collect();
        let crowds = self.crowds(&coarse)?;
        let mut named = Vec::with_capacity(coarse.len());
        for (place, coarse) in coarse.iter().enumerate() {
            let name = match crowds.get(coarse.as_str()) {
                Some(first) if *first == Some(place) => coarse.clone(),
                Some(_) => self.drafts[place].fine_name(coarse),
                None => self.alone(place, coarse)?,
            };
            named.push(self.give(place, name)?);
        }
        Ok(named)
    }

    /// Identifiers that items with different links share: some feeds give all their items the
    /// site's.
    fn guids_of_many_links(&self) -> HashSet<&str> {
        let mut links: HashMap<&str, &str> = HashMap::new();
        let drafts = self.drafts.iter();
        drafts
            .filter_map(|draft| {
                let (guid, link) = (draft.guid.as_deref()?, draft.link.as_deref()?);
                let first = *links.entry(guid).or_insert(link);
                (first != link).then_some(guid)
            })
            .collect()
    }

    /// Names that items with different contents share, each with the place of the item that
    /// keeps it, because it is known by it.
    fn crowds<'n>(&self, coarse: &'n [String]) -> Result<HashMap<&'n str, Option<usize>>> {
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (place, name) in coarse.iter().enumerate() {
            places.entry(name).or_default().push(place);
        }
        let differ = |places: &[usize]| {
            let mut contents = places.iter().map(|place| &self.drafts[*place].contents);
            let first = contents.next();
            contents.any(|other| Some(other) != first)
        };
        let mut crowds = HashMap::new();
        for (name, places) in places.into_iter().filter(|(_, places)| differ(places)) {
            let known = self.known.find(name)?;
            let keeper = known.and_then(|known| {
                let same = places
                    .into_iter()
                    .filter(|place| self.drafts[*place].digest == known.digest);
                // New items come on top: of those that are alike, the last was the first.
                same.max_by_key(|place| (self.drafts[*place].has_date_of(&known), *place))
            });
            crowds.insert(name, keeper);
        }
        Ok(crowds)
    }

    /// The name of an item that shares it with no other: one by which it is known, from when it
    /// did share it.
    fn alone(&self, place: usize, coarse: &str) -> Result<String> {
        let draft = &self.drafts[place];
        let by_name = self.known.find(coarse)?;
        if self.is_list
            || by_name
                .as_ref()
                .is_some_and(|known| known.digest == draft.digest)
        {
            return Ok(coarse.to_owned());
        }
        let fine = draft.fine_name(coarse);
        if self.known.find(&fine)?.is_some() {
            return Ok(fine);
        }
        let has_own_guid = draft.guid.is_some() && !draft.is_link;
        if by_name.is_none()
            && !has_own_guid
            && let Some(name) = self.known_by_link(draft)?
        {
            return Ok(name);
        }
        let (Some(guid), Some(link)) = (&draft.guid, &draft.link) else {
            return Ok(coarse.to_owned());
        };
        if by_name.is_none()
            && coarse == guid
            && let Some(name) = self.renamed(draft)?
        {
            return Ok(name);
        }
        let is_it = |known: &KnownItem| bounded(&known.link) == *link;
        if by_name.as_ref().is_some_and(is_it) {
            return Ok(coarse.to_owned());
        }
        let other = if coarse == link { guid } else { link };
        let is_known = self.known.find(other)?.as_ref().is_some_and(is_it);
        Ok(if is_known { other } else { coarse }.to_owned())
    }

    /// The name of an item that has got another identifier and is the same otherwise: some feeds
    /// make new ones up at each poll.
    fn renamed(&self, draft: &NameDraft<'_>) -> Result<Option<String>> {
        let Some(link) = &draft.item.link else {
            return Ok(None);
        };
        let alike = self
            .known
            .find_alike(link.as_str(), Likeness::Digest(&draft.digest))?;
        let mut alike = alike
            .into_iter()
            .filter(|known| draft.has_date_of(known) && !self.guids.contains(&known.name));
        Ok(alike.next().map(|known| known.name))
    }

    /// The name of an item without identifier whose link has got another form, with other
    /// parameters of a campaign or in https, and that has its title still.
    fn known_by_link(&self, draft: &NameDraft<'_>) -> Result<Option<String>> {
        let Some(link) = &draft.item.link else {
            return Ok(None);
        };
        let key = page_key(link.as_str());
        let in_answer = |name: &String| {
            let mut others = self.drafts.iter().filter_map(|other| other.link.as_ref());
            others.any(|link| link == name)
        };
        let known = self
            .known
            .find_alike(link.as_str(), Likeness::Title(&draft.item.title))?;
        let mut names = known.into_iter().map(|known| known.name);
        Ok(names.find(|name| page_key(name) == key && !in_answer(name)))
    }

    /// Gives an item a name that no other item has.
    fn give(&mut self, place: usize, mut name: String) -> Result<NamedItem> {
        let draft = &self.drafts[place];
        if self
            .taken
            .get(&name)
            .is_some_and(|of| *of != draft.contents)
        {
            name = draft.fine_name(&name);
        }
        self.taken.insert(name.clone(), draft.contents.clone());
        let known = self.known.find(&name)?;
        let is_link = draft.link.as_ref() == Some(&name)
            || (draft.is_link && draft.guid.as_ref() == Some(&name));
        let changed = known.as_ref().filter(|known| known.digest != draft.digest);
        let has_other_link_only = changed.is_some_and(|known| {
            let as_known = FeedItem {
                link: Url::parse(&known.link).ok(),
                ..draft.item.clone()
            };
            known.digest == digest_item(&as_known)
        });
        let (entry, known_digest) = match (known, &draft.item.link) {
            (Some(known), _) => (known.entry, Some(known.digest)),
            (None, Some(link)) if is_link || self.is_list => (link.to_string(), None),
            (None, _) => (name_of(&format!("{} {name}", self.named)), None),
        };
        Ok(NamedItem {
            name,
            entry,
            digest: draft.digest.clone(),
            known_digest,
            has_other_link_only,
        })
    }
}

/// Bits of a number that are made of the entry's name: 33 above them are the seconds, so that a
/// number has 63 bits until the year 2242.
const NAME_BITS: u32 = 30;

/// The lasting number of an entry, 63 bits: the second at which it was first seen, above bits of
/// the digest of its name and its feed's. So numbers grow with time, and those of a rebuilt
/// archive are the same. Of two entries with one number the later one takes the next.
pub(super) fn entry_number(first_seen_ms: i64, feed: &str, name: &str) -> i64 {
    let digest = Sha256::digest(format!("{feed} {name}"));
    let bits = digest
        .first_chunk()
        .map_or(0, |bytes| u32::from_be_bytes(*bytes));
    let seconds = (first_seen_ms / 1000).clamp(0, (1 << (63 - NAME_BITS)) - 1);
    (seconds << NAME_BITS) | i64::from(bits >> (u32::BITS - NAME_BITS))
}

/// A URN for an entry without an address: RFC 8141 allows no spaces or signs in it.
pub(super) fn name_of(text: &str) -> String {
    let safe: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
    format!("urn:forest:{safe}")
}

fn is_position(id: &str) -> bool {
    let place = id.strip_prefix('#');
    place.is_some_and(|place| place.bytes().all(|byte| byte.is_ascii_digit()))
}

fn bounded(name: &str) -> String {
    if name.len() > NAME_BYTES {
        sha256_hex(name)
    } else {
        name.to_owned()
    }
}

/// A digest of the contents of an item, without its link.
fn digest_contents(item: &FeedItem) -> String {
    let mut hash = Sha256::new();
    let files = item.enclosures.iter().map(|file| file.url.as_str());
    let further = item.content.as_deref().into_iter().chain(files);
    let date = item.date().map(|date| date.raw.as_str());
    let parts = [item.title.as_str(), &item.summary].into_iter();
    for part in parts.chain(further).chain(date) {
        hash.update(part);
        hash.update(b"\n");
    }
    hex(&hash.finalize()[..16])
}

/// A digest of all of an item's fields in the feed. White space does not count.
pub(super) fn digest_item(item: &FeedItem) -> String {
    let mut hash = Sha256::new();
    let link = item.link.as_ref().map(Url::as_str);
    let updated = item.updated.as_ref().map(|date| date.raw.as_str());
    let parts = [
        Some(&*item.title),
        Some(&*item.summary),
        item.content.as_deref(),
        link,
        updated,
    ];
    for part in parts {
        for word in part.unwrap_or_default().split_whitespace() {
            hash.update(word);
            hash.update(b" ");
        }
        hash.update(b"\n");
    }
    hex(&hash.finalize()[..16])
}

/// A digest of an item of a list: what a list says beside the title may change with the hour
/// ("2 hours ago", "3 comments").
fn digest_listed(item: &FeedItem) -> String {
    hex(&Sha256::digest(fold(&item.title))[..16])
}
