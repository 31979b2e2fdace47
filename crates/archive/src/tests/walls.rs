//! Articles whose pages show less of them, some days later.

use super::*;
use forest_core::extract::{Extractor, Options};
use forest_core::wrapper::Wrapper;
use forest_html::page::{Page, Source};
use forest_html::text::sha256_hex;

const URL: &str = "http://a.example/ferry";

/// Paragraphs of some 30 words.
fn paragraphs(count: usize) -> String {
    let one = |n: usize| {
        format!(
            "<p>On day {n} the ferry of island {n} left an hour later, said the master of harbour {n}. \
             Nobody had told the baker, who waited at pier {n} with all of his bread.</p>\n"
        )
    };
    (0..count).map(one).collect()
}

fn page(head: &str, story: &str, rest: &str) -> String {
    let title = "The ferry leaves later";
    format!(
        "<html><head><title>{title}</title>{head}</head><body><div class=menu>Home</div><h1>{title}</h1>\
         <article>{story}</article>{rest}</body></html>"
    )
}

const SOLD: &str = "<script type=application/ld+json>{\"@type\": \"NewsArticle\", \"isAccessibleForFree\": false}</script>";

/// A wrapper with this body expression, which is also its digest.
struct By(&'static str, Extractor);

fn by(body: &'static str) -> By {
    let yaml = format!("format: 1\nsite: a.example\ntemplates:\n- body: ['{body}']\n");
    let wrapper = Wrapper::from_yaml(&yaml).expect("YAML").wrapper;
    By(body, Extractor::new(wrapper).expect("valid"))
}

struct WallSite {
    archive: Archive,
    by: By,
    days: i64,
    _dir: tempfile::TempDir,
}

impl WallSite {
    fn new() -> WallSite {
        let dir = folder();
        WallSite {
            archive: open(dir.path()),
            by: by("//article/p"),
            days: 0,
            _dir: dir,
        }
    }

    /// Visits this page a day later; the outcome and the status.
    fn visit_with(&mut self, html: &str) -> (Stored, Status) {
        self.days += 1;
        let at = start() + TimeDelta::days(self.days);
        let mut arrival = arrival(URL, at, html, None);
        let known = self.archive.known(URL).expect("readable");
        let sha256 = sha256_hex(html);
        if known.raw.as_ref().is_none_or(|raw| raw.sha256 != sha256) {
            let source = Source {
                url: Some(URL),
                content_type: Some("text/html"),
            };
            let page = Page::parse(html.as_bytes(), source);
            arrival.article = Some(self.by.1.extract(&page, &Options::default()));
            let by = Some((&self.by.1, self.by.0));
            arrival.compare(&known, &self.archive.raw_pages(), by);
        }
        arrival.wrapper = Some(self.by.0.to_owned());
        let prepared = arrival.prepare(&known);
        let status = prepared.visit().status;
        let why = prepared.visit().error.clone();
        let stored = self
            .archive
            .write(vec![ArchiveChange::Page(Box::new(prepared))]);
        let stored = stored.expect("written")[0];
        if status == Status::Blocked && stored == Stored::Nothing {
            let reasons = ["asks for a subscription", "asks its reader to log in"];
            assert!(why.is_some_and(|why| reasons.iter().any(|reasons| why.contains(reasons))));
        }
        (stored, status)
    }

    /// Checks the number of versions and the number of paragraphs of the latest one, in the
    /// archive and in one that is made from its files.
    fn has(self, versions: usize, paragraphs: usize) -> WallSite {
        let check = |archive: &Archive| {
            let texts = &all(archive)[0].1;
            let latest = texts.last().expect("a version");
            let found_paragraphs = latest.matches("said the master").count();
            assert_eq!(
                (texts.len(), found_paragraphs),
                (versions, paragraphs),
                "{texts:?}"
            );
            is_whole(archive);
        };
        check(&self.archive);
        let archive = self.archive.rebuild().expect("rebuilt");
        check(&archive);
        WallSite { archive, ..self }
    }
}

/// The bytes of all WARC files.
fn bytes(archive: &Archive) -> u64 {
    let folder = Folder::of(archive.dir());
    folder.lengths().expect("readable").values().sum()
}

#[test]
fn what_a_wall_leaves_of_an_article_is_no_version() {
    let check = |before: &str, teaser: &str| {
        let mut world = WallSite::new();
        assert_eq!(world.visit_with(before), (Stored::New, Status::Ok));
        assert_eq!(world.visit_with(teaser), (Stored::Nothing, Status::Blocked));
        // Unchanged: a page is stored once.
        let size = bytes(&world.archive);
        assert_eq!(world.visit_with(teaser), (Stored::Same, Status::Blocked));
        assert!(bytes(&world.archive) < size + 2000);
        let mut world = world.has(1, 8);
        let again = format!("{teaser}<!-- with other bytes -->");
        assert_eq!(world.visit_with(&again), (Stored::Nothing, Status::Blocked));
        // The whole article is back, and edited.
        assert_eq!(world.visit_with(before).0, Stored::Same);
        assert_eq!(world.visit_with(teaser).0, Stored::Nothing);
        let edited = before.replacen("bread", "cake", 1);
        assert_eq!(world.visit_with(&edited).0, Stored::Version);
        assert_eq!(world.visit_with(teaser), (Stored::Nothing, Status::Blocked));
        world.has(2, 8);
    };
    let whole = paragraphs(8);
    let free = page("", &whole, "");
    let ask = "<p>Subscribe to continue reading. Already a subscriber? Log in.</p>";
    // The wall is mentioned below the text, in its last line, above it, and in the markup.
    check(&free, &page("", &format!("{}{ask}", paragraphs(2)), ""));
    check(&free, &page(SOLD, &paragraphs(1), ""));
    let cut = &whole[..whole.find("island 1").expect("said")];
    check(
        &free,
        &page("", &format!("{cut} isl… Subscribe to continue reading"), ""),
    );
    let label = "<p>Riservato agli abbonati</p>";
    check(&free, &page("", &format!("{label}{}", paragraphs(3)), ""));
    check(
        &free,
        &page(
            "",
            &paragraphs(3),
            "<div class=\"box regwall\">1 € a week</div>",
        ),
    );
    // It is mentioned elsewhere; and the article was always marked as sold, but shown whole.
    check(&free, &page("", &paragraphs(3), ask));
    check(&page(SOLD, &whole, ""), &page(SOLD, &paragraphs(3), ""));
    // A caption in between is gone.
    let caption = whole.replacen("</p>", "</p><p>A photo of the ferry</p>", 1);
    check(&page("", &caption, ""), &page(SOLD, &paragraphs(3), ""));
}

#[test]
fn what_its_author_left_of_an_article_is_a_version() {
    let check = |before: &str, after: &str, paragraphs| {
        let mut world = WallSite::new();
        assert_eq!(world.visit_with(before).0, Stored::New);
        let (stored, status) = world.visit_with(after);
        assert_eq!(stored, Stored::Version);
        assert!(
            matches!(status, Status::Ok | Status::Degraded),
            "{status:?}"
        );
        world.has(2, paragraphs);
    };
    let whole = paragraphs(8);
    check(&page("", &whole, ""), &page("", &paragraphs(2), ""), 2);
    let note = "<p>Correction: what else stood here was about another ferry.</p>";
    let noted = format!("{}{note}", paragraphs(2));
    check(&page("", &whole, ""), &page("", &noted, ""), 2);
    // The same text is on each page of the site.
    let foot = "<div>Already a subscriber? Forgot your password?</div>";
    check(&page("", &whole, foot), &page("", &paragraphs(2), foot), 2);
    // Sold, and nearly whole; and another text.
    check(&page(SOLD, &whole, ""), &page(SOLD, &paragraphs(5), ""), 5);
    let other = "<p>What was said here of the ferry was wrong, and was taken back.</p>".repeat(3);
    check(&page(SOLD, &whole, ""), &page(SOLD, &other, ""), 0);
}

#[test]
fn an_article_that_is_sold_and_whole_is_as_any_other() {
    let mut world = WallSite::new();
    let whole = page(SOLD, &paragraphs(8), "");
    assert_eq!(world.visit_with(&whole), (Stored::New, Status::Ok));
    let more = page(SOLD, &paragraphs(9), "<p>Already a subscriber?</p>");
    assert_eq!(world.visit_with(&more), (Stored::Version, Status::Ok));
    let other = page(SOLD, &paragraphs(9), "<p>Subscribe to read</p>");
    assert_eq!(world.visit_with(&other), (Stored::Same, Status::Ok));
    world.has(2, 9);
}

#[test]
fn an_article_that_opens_up_has_its_whole_text_in_a_version() {
    let mut world = WallSite::new();
    let teaser = page(SOLD, &paragraphs(4), "<p>Subscribe to continue reading");
    assert_eq!(world.visit_with(&teaser).0, Stored::New);
    // A shorter beginning of an article that was short already.
    let less = page(SOLD, &paragraphs(1), "<p>Subscribe to continue reading");
    assert_eq!(world.visit_with(&less), (Stored::Nothing, Status::Blocked));
    let whole = page("", &paragraphs(8), "");
    assert_eq!(world.visit_with(&whole), (Stored::Version, Status::Ok));
    world.has(2, 8);
}

/// The page of the latest version is not the last received one.
#[test]
fn another_wrapper_behind_a_wall_makes_no_version() {
    let check = |wall: &str| {
        let mut world = WallSite::new();
        let whole = page("", &format!("{}<div>Share this</div>", paragraphs(8)), "");
        assert_eq!(world.visit_with(&whole).0, Stored::New);
        assert_eq!(world.visit_with(wall).1, Status::Blocked);
        world.by = by("//article");
        assert_eq!(world.visit_with(&whole), (Stored::Same, Status::Ok));
        // An edit: one wrapper reads both versions, each from its own page.
        assert_eq!(world.visit_with(wall).1, Status::Blocked);
        world.by = by("//article/node()");
        let edited = whole.replacen("bread", "cake", 1);
        assert_eq!(world.visit_with(&edited).0, Stored::Version);
        let world = world.has(2, 8);
        let texts = &all(&world.archive)[0].1;
        assert!(
            texts.iter().all(|text| text.contains("Share this")),
            "{texts:?}"
        );
        assert_eq!(dangling(world.archive.dir()), Vec::<String>::new());
    };
    check(&page(
        SOLD,
        &paragraphs(1),
        "<p>Subscribe to continue reading",
    ));
    check(
        "<title>Log in</title><h1>Log in</h1><form><input type=password></form><p>Forgot your password?",
    );
}
