//! Expressions for the fields of a site's articles: title, authors, date, tags.
//!
//! Takes the good pages of a sample with what the feed says of them; gives [`LearnedFields`]:
//! expressions for a template, tried in order, and for each field its
//! [`Support`]. What the feed's item says is looked for on its page (`truth`): an
//! element is a find if its whole text, or an attribute that holds such values
//! (`time/@datetime`, `meta/@content`, `abbr/@title`), says the same after
//! normalising. Each find has names (`selector`: class tokens, id, `itemprop`, `rel`, its
//! own or an ancestor's) and each name is then asked on all pages of the sample
//! (`gather`): one that gives the right value where it gives any is an expression
//! (`choose`). Of equally right ones the name that names the field wins
//! (`entry-title`, `author`, `published`), then the shorter.
//!
//! **The page's metadata is the second source.** It is asked the same question
//! with the same yardstick, and it is what an article gets where no expression
//! gives a value. So expressions are only learned where they are right on more
//! pages of the sample than the metadata alone. Without a feed the metadata is the
//! truth, and expressions are learned where it is missing on some pages, or where
//! all titles end in the same words.
//!
//! **Tags** that the metadata of all pages names alike are a side bar's and no article's:
//! they are no truth, and the wrapper remembers them
//! ([`Expect::tags`](crate::wrapper::Expect::tags)), so that they are nobody's.
//!
//! **Date and authors** beside the text that are the same on all pages are the site's, unless the
//! feed names them ([`Expect::shared`](crate::wrapper::Expect::shared)).
//!
//! **Pictures** outside of the body (`images`) are those that the metadata names; an
//! expression that selects them is learned where the bodies have other pictures, or
//! where they have captions there: else the metadata gives them.
//!
//! Everything is bounded by the sample: two passes over the elements of each page,
//! 400 names a field, `MAX_VALUES` values a page.
//!
//! **Departures.** The paper extracts no fields.

mod agree;
mod choose;
mod field;
mod gather;
pub(super) mod images;
pub(super) mod selector;
pub(super) mod selector_set;
#[cfg(test)]
mod tests;
mod truth;

pub use agree::{Agreement, agreement};
pub use field::ArticleField;

use super::page::SamplePage;
use crate::wrapper::{DateField, Support, Template, WrapperField};
use choose::choose;
use gather::{collect, values};
use std::collections::BTreeMap;
use truth::SampleTruth;

/// Expressions for the fields of a template. A field without any is left to the
/// metadata.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LearnedFields {
    /// Of the title.
    pub title: Vec<String>,
    /// Of the authors.
    pub author: Vec<String>,
    /// Of the date of publication.
    pub date: Vec<DateField>,
    /// Of the tags.
    pub tags: Vec<String>,
    /// The pages of the sample on which each field was right, by its key in a template;
    /// fields of which no page's value is known are left out.
    pub support: BTreeMap<String, Support>,
    /// Tags that the metadata of all pages names: the site's.
    pub tags_of_site: Vec<String>,
    /// Date and authors whose value beside the text is the same on all pages, and that the
    /// feed does not name: the day of the masthead, the author in a side bar.
    pub shared: Vec<WrapperField>,
}

impl LearnedFields {
    /// Puts the expressions into a template and their support into its evidence.
    pub fn put_into(&self, template: &mut Template) {
        template.title.clone_from(&self.title);
        template.author.clone_from(&self.author);
        template.date.clone_from(&self.date);
        template.tags.clone_from(&self.tags);
        if let Some(evidence) = &mut template.evidence {
            evidence.fields.clone_from(&self.support);
        }
    }
}

/// Learns the fields of a site's pages.
///
/// ```
/// use forest_core::feed::FeedItem;
/// use forest_core::learn::{SamplePage, fields};
/// use forest_html::page::Page;
///
/// let page = |title: &str| {
///     let html = format!("<title>Site</title><h2 class='post-title'>{title}</h2><h2>More</h2>");
///     let mut page = SamplePage::new(Page::from_html(&html), title);
///     page.item = Some(FeedItem { title: title.to_owned(), ..FeedItem::default() });
///     page
/// };
/// let pages = [page("Ferry leaves later"), page("Cat sleeps on organ"), page("Loaf is weighed")];
/// let fields = fields::learn(&pages.iter().collect::<Vec<_>>());
/// assert_eq!(fields.title, ["//h2[contains(concat(' ',normalize-space(@class),' '),' post-title ')]"]);
/// assert_eq!(fields.support["title"].right, 3);
/// ```
pub fn learn(pages: &[&SamplePage]) -> LearnedFields {
    let SampleTruth {
        truths,
        tags_of_site,
        shared,
    } = SampleTruth::of(pages);
    let found = values(pages, collect(pages, &truths));
    let mut out = LearnedFields {
        tags_of_site,
        shared,
        ..LearnedFields::default()
    };
    for field in ArticleField::ALL {
        let found = found.get(&field).map_or(&[][..], Vec::as_slice);
        let Some(chosen) = choose(field, found, &truths) else {
            continue;
        };
        out.support.insert(field.name().to_owned(), chosen.support);
        let xpaths = chosen.expressions.iter().map(|field| field.xpath.clone());
        match field {
            ArticleField::Title => out.title = xpaths.collect(),
            ArticleField::Author => out.author = xpaths.collect(),
            ArticleField::Tags => out.tags = xpaths.collect(),
            ArticleField::Date => out.date = chosen.expressions,
        }
    }
    out
}
