//! The features of a page's kind: a table of their names and the functions that take them.

use super::names::WordList;
use super::repeated::{SiblingGroup, SiblingGroups};
use super::signs::{KindSigns, OgType};
use crate::blocks::{BlockSums, ContainerRole, FAR, PageFacts, share};
use crate::model::feature_names;
use forest_html::page::Page;

/// Words of a block that is a label.
const LABEL_WORDS: f32 = 5.0;

/// Words of a block that is a long paragraph.
const LONG_WORDS: f32 = 40.0;

/// Number of features of a page.
pub(super) const FEATURE_COUNT: usize = 117;

/// The features of one page.
pub(super) type KindRow = [f32; FEATURE_COUNT];

/// A name and the number that it stands for.
type KindFeature = (&'static str, fn(&KindFacts<'_>) -> f32);

/// The features in the order of a row. The model's file has their names in this order.
const FEATURES: [KindFeature; FEATURE_COUNT] = [
    ("words", |p| p.whole().words),
    ("blocks", |p| p.blocks()),
    ("link-share", |p| p.whole().link_share()),
    ("paragraph-share", |p| p.whole().paragraph_share()),
    ("paragraph-words", |p| p.whole().paragraphs),
    ("title-share", |p| p.whole().title_share()),
    ("labels", |p| p.of_blocks(|words, _| words < LABEL_WORDS)),
    ("long-blocks", |p| {
        p.of_blocks(|words, links| words >= LONG_WORDS && links < 0.3)
    }),
    ("longest", |p| p.longest()),
    ("sentences", |p| {
        share(
            p.facts.layout.blocks.iter().map(|b| b.all.stops).sum(),
            p.whole().words,
        )
    }),
    ("ends", |p| {
        share(
            p.facts
                .layout
                .blocks
                .iter()
                .filter(|b| b.ends_sentence)
                .count() as f32,
            p.blocks(),
        )
    }),
    ("headline-at", |p| {
        p.facts
            .headline
            .map_or(-1.0, |at| share(at.0 as f32, p.blocks()))
    }),
    ("body-words", |p| {
        p.facts
            .topic
            .body_words()
            .map_or(-1.0, |words| words as f32)
    }),
    ("articles", |p| p.facts.articles as f32),
    ("elements", |p| p.signs.elements as f32),
    ("links", |p| p.signs.links as f32),
    ("links-a-word", |p| {
        share(p.signs.links as f32, p.whole().words)
    }),
    ("inner-links", |p| {
        share(p.signs.inner_links as f32, p.signs.links as f32)
    }),
    ("h1", |p| p.signs.headings[0] as f32),
    ("h2", |p| p.signs.headings[1] as f32),
    ("h3", |p| p.signs.headings[2] as f32),
    ("headings-a-word", |p| share(p.headings(), p.whole().words)),
    ("linked-headings", |p| p.signs.linked_headings as f32),
    ("linked-heading-share", |p| {
        share(p.signs.linked_headings as f32, p.headings())
    }),
    ("pictures", |p| p.signs.marks.pictures.len() as f32),
    ("pictures-a-word", |p| {
        share(p.signs.marks.pictures.len() as f32, p.whole().words)
    }),
    ("times", |p| p.signs.marks.times.len() as f32),
    ("prices", |p| p.signs.marks.prices.len() as f32),
    ("inputs", |p| p.signs.inputs as f32),
    ("buttons", |p| p.signs.buttons as f32),
    ("selects", |p| p.signs.selects as f32),
    ("textareas", |p| p.signs.textareas as f32),
    ("forms", |p| p.signs.forms as f32),
    ("tables", |p| p.signs.tables as f32),
    ("rows", |p| p.signs.rows as f32),
    ("programs", |p| p.signs.programs as f32),
    ("codes", |p| p.signs.codes as f32),
    ("codes-a-word", |p| {
        share(p.signs.codes as f32, p.whole().words)
    }),
    ("items", |p| p.signs.items as f32),
    ("items-a-word", |p| {
        share(p.signs.items as f32, p.whole().words)
    }),
    ("terms", |p| p.signs.terms as f32),
    ("frames", |p| p.signs.frames as f32),
    ("quotes", |p| p.signs.quotes as f32),
    ("names-forum", |p| p.named(WordList::NamesForum)),
    ("names-shop", |p| p.named(WordList::NamesShop)),
    ("names-documentation", |p| {
        p.named(WordList::NamesDocumentation)
    }),
    ("names-list", |p| p.named(WordList::NamesList)),
    ("names-service", |p| p.named(WordList::NamesService)),
    ("names-article", |p| p.named(WordList::NamesArticle)),
    ("share-forum", |p| p.named_share(WordList::NamesForum)),
    ("share-shop", |p| p.named_share(WordList::NamesShop)),
    ("share-documentation", |p| {
        p.named_share(WordList::NamesDocumentation)
    }),
    ("share-list", |p| p.named_share(WordList::NamesList)),
    ("share-service", |p| p.named_share(WordList::NamesService)),
    ("share-article", |p| p.named_share(WordList::NamesArticle)),
    ("address-forum", |p| p.named(WordList::AddressForum)),
    ("address-shop", |p| p.named(WordList::AddressShop)),
    ("address-documentation", |p| {
        p.named(WordList::AddressDocumentation)
    }),
    ("address-list", |p| p.named(WordList::AddressList)),
    ("address-service", |p| p.named(WordList::AddressService)),
    ("address-article", |p| p.named(WordList::AddressArticle)),
    ("generator-forum", |p| p.named(WordList::GeneratorForum)),
    ("generator-shop", |p| p.named(WordList::GeneratorShop)),
    ("generator-documentation", |p| {
        p.named(WordList::GeneratorDocumentation)
    }),
    ("types-article", |p| p.named(WordList::TypesArticle)),
    ("types-forum", |p| p.named(WordList::TypesForum)),
    ("types-shop", |p| p.named(WordList::TypesShop)),
    ("types-list", |p| p.named(WordList::TypesList)),
    ("types-service", |p| p.named(WordList::TypesService)),
    ("og-article", |p| p.og_is(OgType::Article)),
    ("og-website", |p| p.og_is(OgType::Website)),
    ("og-product", |p| p.og_is(OgType::Product)),
    ("og-other", |p| p.og_is(OgType::Other)),
    ("dated", |p| {
        flag(p.page.metadata().date_published.is_some())
    }),
    ("authors", |p| p.page.metadata().authors.len() as f32),
    ("segments", |p| p.of_address(p.signs.segments as f32)),
    ("slug-words", |p| p.of_address(p.signs.slug_words as f32)),
    ("slug-digits", |p| p.of_address(p.signs.slug_digits as f32)),
    ("query", |p| p.of_address(flag(p.signs.has_query))),
    ("role-comment", |p| p.role_share(ContainerRole::Comment)),
    ("role-article", |p| p.role_share(ContainerRole::Article)),
    ("role-main", |p| p.role_share(ContainerRole::Main)),
    ("role-body", |p| p.role_share(ContainerRole::Body)),
    ("role-list", |p| p.role_share(ContainerRole::List)),
    ("role-list-tag", |p| p.role_share(ContainerRole::ListTag)),
    ("role-menu", |p| p.role_share(ContainerRole::Menu)),
    ("role-side", |p| p.role_share(ContainerRole::Side)),
    ("role-foot", |p| p.role_share(ContainerRole::Foot)),
    ("role-section", |p| p.role_share(ContainerRole::Section)),
    ("role-form", |p| p.role_share(ContainerRole::Form)),
    ("role-related", |p| p.role_share(ContainerRole::Related)),
    ("groups", |p| p.groups.count as f32),
    ("wordiest-members", |p| p.groups.wordiest.members as f32),
    ("wordiest-page", |p| p.page_share(&p.groups.wordiest)),
    ("wordiest-words", |p| {
        p.a_member(&p.groups.wordiest, p.groups.wordiest.sums.words)
    }),
    ("wordiest-links", |p| p.groups.wordiest.sums.link_share()),
    ("wordiest-paragraphs", |p| {
        p.groups.wordiest.sums.paragraph_share()
    }),
    ("wordiest-with-link", |p| {
        p.a_member(&p.groups.wordiest, p.groups.wordiest.with_link as f32)
    }),
    ("wordiest-pictures", |p| {
        p.a_member(&p.groups.wordiest, p.groups.wordiest.pictures as f32)
    }),
    ("wordiest-prices", |p| {
        p.a_member(&p.groups.wordiest, p.groups.wordiest.prices as f32)
    }),
    ("wordiest-times", |p| {
        p.a_member(&p.groups.wordiest, p.groups.wordiest.times as f32)
    }),
    ("wordiest-headings", |p| {
        p.a_member(&p.groups.wordiest, p.groups.wordiest.headings as f32)
    }),
    ("linked-members", |p| p.groups.most_linked.members as f32),
    ("linked-page", |p| p.page_share(&p.groups.most_linked)),
    ("linked-words", |p| {
        p.a_member(&p.groups.most_linked, p.groups.most_linked.sums.words)
    }),
    ("linked-links", |p| p.groups.most_linked.sums.link_share()),
    ("linked-pictures", |p| {
        p.a_member(&p.groups.most_linked, p.groups.most_linked.pictures as f32)
    }),
    ("linked-prices", |p| {
        p.a_member(&p.groups.most_linked, p.groups.most_linked.prices as f32)
    }),
    ("linked-times", |p| {
        p.a_member(&p.groups.most_linked, p.groups.most_linked.times as f32)
    }),
    ("linked-headings-a-member", |p| {
        p.a_member(&p.groups.most_linked, p.groups.most_linked.headings as f32)
    }),
    ("prose-members", |p| p.groups.most_prose.members as f32),
    ("prose-page", |p| p.page_share(&p.groups.most_prose)),
    ("prose-words", |p| {
        p.a_member(&p.groups.most_prose, p.groups.most_prose.sums.words)
    }),
    ("prose-with-paragraph", |p| {
        p.a_member(
            &p.groups.most_prose,
            p.groups.most_prose.with_paragraph as f32,
        )
    }),
    ("prose-links", |p| p.groups.most_prose.sums.link_share()),
    ("prose-times", |p| {
        p.a_member(&p.groups.most_prose, p.groups.most_prose.times as f32)
    }),
    ("prose-headings", |p| {
        p.a_member(&p.groups.most_prose, p.groups.most_prose.headings as f32)
    }),
];

/// The source of a page's features.
struct KindFacts<'a> {
    page: &'a Page,
    facts: &'a PageFacts,
    signs: KindSigns,
    groups: SiblingGroups,
}

impl KindFacts<'_> {
    fn whole(&self) -> BlockSums {
        self.facts.whole()
    }

    fn blocks(&self) -> f32 {
        self.facts.layout.blocks.len() as f32
    }

    fn headings(&self) -> f32 {
        self.signs.headings.iter().sum::<u32>() as f32
    }

    /// The share of the blocks with such words and link share.
    fn of_blocks(&self, is_such: impl Fn(f32, f32) -> bool) -> f32 {
        let blocks = self.facts.layout.blocks.iter();
        let such = blocks.filter(|block| is_such(block.all.words, block.link_share()));
        share(such.count() as f32, self.blocks())
    }

    /// Words of the longest block without many links.
    fn longest(&self) -> f32 {
        let blocks = self.facts.layout.blocks.iter();
        let own = blocks.filter(|block| block.link_share() < 0.3);
        own.map(|block| block.all.words).fold(0.0, f32::max)
    }

    fn named(&self, list: WordList) -> f32 {
        self.signs.count(list) as f32
    }

    fn named_share(&self, list: WordList) -> f32 {
        share(self.named(list), self.signs.elements as f32)
    }

    fn og_is(&self, og_type: OgType) -> f32 {
        flag(self.signs.og_type == og_type)
    }

    /// `-1` for a page without an address.
    fn of_address(&self, value: f32) -> f32 {
        if self.signs.has_address { value } else { -1.0 }
    }

    /// The share of the page's words in containers of a role.
    fn role_share(&self, role: ContainerRole) -> f32 {
        let blocks = self.facts.layout.blocks.iter();
        let inside = blocks.filter(|block| {
            let container = self.facts.layout.container(block.container);
            container.steps[role as usize] < FAR
        });
        share(
            inside.map(|block| block.all.words).sum(),
            self.whole().words,
        )
    }

    fn page_share(&self, group: &SiblingGroup) -> f32 {
        share(group.sums.words, self.whole().words)
    }

    fn a_member(&self, group: &SiblingGroup, amount: f32) -> f32 {
        share(amount, group.members as f32)
    }
}

fn flag(is_so: bool) -> f32 {
    f32::from(u8::from(is_so))
}

/// The names of the features, in their order.
pub(super) const NAMES: [&str; FEATURE_COUNT] = feature_names(&FEATURES);

/// The features of the same page without an address.
pub(super) fn without_address(row: &[f32]) -> Vec<f32> {
    let of_address = |name: &str| match name {
        "segments" | "slug-words" | "slug-digits" | "query" => Some(-1.0),
        _ => name.starts_with("address-").then_some(0.0),
    };
    let features = NAMES.iter().zip(row);
    features
        .map(|(name, value)| of_address(name).unwrap_or(*value))
        .collect()
}

/// The features of a page whose facts are known.
pub(super) fn features(page: &Page, facts: &PageFacts) -> KindRow {
    let signs = KindSigns::of(page);
    let groups = SiblingGroups::of(page, facts, &signs.marks);
    let of = KindFacts {
        page,
        facts,
        signs,
        groups,
    };
    FEATURES.map(|(_, feature)| feature(&of))
}
