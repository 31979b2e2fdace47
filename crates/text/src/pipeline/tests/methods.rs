use crate::pipeline::Preset;
use forest_core::baseline::blurring::{Blurring, Entries, LinkTreatment};
use forest_core::baseline::lqf::Lqf;
use forest_core::baseline::sw::Sw;
use forest_core::baseline::ttr::Ttr;
use forest_core::baseline::{blurring, bte, lqf, sw, ttr};
use forest_html::page::view::View;
use forest_html::page::walk::{Step, walk};
use forest_html::page::{Kind, Mask, Page};
use forest_html::text::Language;
use forest_html::text::fold;
use proptest::prelude::*;

/// The kept text, white space folded.
fn kept(html: &str, method: impl Fn(&Page) -> Mask) -> String {
    let page = Page::from_html(html);
    let mask = method(&page);
    assert!(mask.nodes().all(|n| page.kind(n) == Kind::Text));
    let text: String = mask.texts(&page).map(|n| page.text(n)).collect();
    fold(&text)
}

fn check_lqf(html: &str, expected: &str) {
    assert_eq!(
        kept(html, |p| lqf::article(&View::whole(p), &Lqf::default())),
        expected
    );
}

#[test]
fn lqf_drops_blocks_of_links() {
    check_lqf("<p><a href=/>abc</a>", "");
    check_lqf("<p>abc", "abc");
    // Three of 13 characters are more than 0.23, three of 14 are not.
    check_lqf("<p>1234567890 <a href=/>abc</a>", "");
    check_lqf("<p>12345678901 <a href=/>abc</a>", "12345678901 abc");
    // White space is no text, and an anchor without an address is no link.
    check_lqf("<p>1234567890         <a href=/>abc</a>", "");
    check_lqf("<p><a name=x>abc</a>", "abc");
    check_lqf("<p><a href=/><b>abc</b></a>", "");
}

#[test]
fn lqf_does_not_count_nested_blocks() {
    check_lqf("<div>own<p><a href=/>nested</a></p></div>", "own");
    check_lqf("<div><a href=/>own</a><p>nested</p></div>", "nested");
    // What stands before and behind a nested block is one block.
    let around = "<div><a href=/>ab</a><p>nested</p>12345678</div>";
    check_lqf(around, "abnested12345678");
    check_lqf("<table><tr><td><a href=/>ab</a><td>cd</table>", "cd");
    // A line break and a rule are no blocks.
    check_lqf("<p>1234567890<br><a href=/>abc</a>", "");
}

#[test]
fn lqf_presets() {
    let html = "<p>1234567890 <a href=/>abc</a>"; // 3 of 13: 0.2308
    assert_eq!(Lqf::default(), Lqf::optimised());
    assert_eq!(
        kept(html, |p| lqf::article(&View::whole(p), &Lqf::optimised())),
        ""
    );
    assert_ne!(
        kept(html, |p| lqf::article(&View::whole(p), &Lqf::earlier())),
        ""
    );
    let none = Lqf::default().with_threshold(0.0);
    assert_eq!(
        kept("<p>x<p>y <a href=/>z</a>", |p| lqf::article(
            &View::whole(p),
            &none
        )),
        "x"
    );
}

fn check_bte(html: &str, expected: &str) {
    assert_eq!(
        kept(html, |page| bte::article(&View::whole(page))),
        expected
    );
}

#[test]
fn bte_takes_the_stretch_with_most_words_and_fewest_tags() {
    check_bte("one", "one");
    // Two tags between the parts: two words are not worth them, three are.
    check_bte("<p>a b c</p><p>d e</p>", "a b c");
    check_bte("<p>a b c</p><p>d e f</p>", "a b cd e f");
    // Of equals the one that ends first, then the shortest.
    check_bte("<p>a b</p><p>c d</p>", "a b");
    check_bte("<p>a b</p><p>c d e</p>", "c d e");
    check_bte("<p>a b c d</p><p>e f g</p>", "a b c de f g");
    // A void element has one tag.
    check_bte("a b<br>c d", "a bc d");
    // What is no word takes part where it stands between words.
    check_bte("<p>— </p>a b c <i>—</i> d e f", "a b c — d e f");
    // Scripts and comments are no tags.
    check_bte("a b<script>x y z</script><!-- x -->c d", "a bc d");
}

#[test]
fn bte_finds_what_trying_all_stretches_finds() {
    // The definition: tags before + words inside + tags behind.
    let html = "<ul><li>a<li>b c</ul><p>d e f <b>g h</b> i</p><p>j k l m</p><hr>n o<div><p>p";
    let page = Page::from_html(html);
    let mut steps = Vec::new();
    walk(&View::whole(&page), |step| match step {
        Step::Text(n) => steps.push(page.text(n)),
        _ => steps.push(""),
    });
    let words = |steps: &[&str]| steps.iter().flat_map(|t| t.split_whitespace()).count();
    let tags = |steps: &[&str]| steps.iter().filter(|t| t.is_empty()).count();
    let score = |i: usize, j: usize| tags(&steps[..i]) + words(&steps[i..j]) + tags(&steps[j..]);
    let mut best = (0, 0);
    for i in 0..steps.len() {
        for j in i..=steps.len() {
            if score(i, j) > score(best.0, best.1) {
                best = (i, j);
            }
        }
    }
    assert_eq!(
        kept(html, |page| bte::article(&View::whole(page))),
        fold(&steps[best.0..best.1].concat())
    );
}

fn check_ttr(html: &str, ttr: Ttr, expected: &str) {
    assert_eq!(
        kept(html, |page| ttr::article(&View::whole(page), &ttr)),
        expected
    );
}

#[test]
fn ttr_keeps_lines_with_much_text_and_few_tags() {
    let alone = Ttr::default().with_radius(0);
    // One line: no deviation, and the ratio is above 0.
    check_ttr("abc", alone, "abc");
    // Ratios 1/3, 1/4, 20/2: mean 3.5, deviation 4.6.
    let html = "<ul><li><a>x</a></li><li><a>y</a></li></ul>12345678901234567890";
    check_ttr(html, alone, "12345678901234567890");
    check_ttr(html, alone.with_deviations(0.0), "xy12345678901234567890");
    // Inline tags count, but do not end a line; `br` does.
    check_ttr("abcdefghij<br><b>k</b>", alone, "abcdefghij");
    check_ttr("abcdefghij<b>k</b>", alone, "abcdefghijk");
}

#[test]
fn ttr_smooths() {
    // A short line between two long ones; another far away.
    let long = "<p>123456789012345678901234567890</p>";
    let html = format!("{long}<p>near</p>{long}{}<p>far</p>", "<p>x</p>".repeat(8));
    let kept = kept(&html, |page| {
        ttr::article(&View::whole(page), &Ttr::default().with_radius(1))
    });
    assert!(kept.contains("near") && !kept.contains("far"), "{kept}");
    let alone = Ttr::default().with_radius(0);
    assert!(!self::kept(&html, |page| ttr::article(&View::whole(page), &alone)).contains("near"));
}

/// English text without stop words, then with one stop word in `n` words.
fn check_sw(html: &str, sw: Sw, expected: &str) {
    assert_eq!(
        kept(html, |page| sw::article(&View::whole(page), &sw)),
        expected
    );
}

const ENGLISH: &str =
    "The cat that slept on the organ of the old church was fed by the priest and it was happy.";
const GERMAN: &str =
    "Die Katze, die auf der Orgel der alten Kirche schlief, wurde von dem Pfarrer gefüttert.";
const CHINESE: &str = "记者从北京报道，这只猫在教堂的管风琴上睡了九天，由神父喂养。";

#[test]
fn sw_keeps_sentences() {
    let html = format!("<html lang=en><h1>Cat sleeps nine days</h1><p>{ENGLISH}</p>");
    check_sw(&html, Sw::default(), ENGLISH);
    let html = format!("<html lang=de><h1>Katze schläft neun Tage</h1><p>{GERMAN}</p>");
    check_sw(&html, Sw::default(), GERMAN);
    // A block has its own words: those of the nested one do not save it.
    let html = format!("<html lang=en><div>Weather<p>{ENGLISH}</p>Sport</div>");
    check_sw(&html, Sw::default(), ENGLISH);
}

#[test]
fn sw_has_a_threshold_a_language() {
    // One stop word of three is more than 0.31, of four it is not.
    let rest = format!("<p>{ENGLISH} {ENGLISH}</p>");
    let html = format!("<html lang=en><p>the cat sleeps</p><p>the cat sleeps well</p>{rest}");
    let kept_by = |sw: Sw| kept(&html, |page| sw::article(&View::whole(page), &sw));
    assert!(kept_by(Sw::default()).starts_with("the cat sleepsThe"));
    let lower = Sw::default().with_threshold(Language::English, 0.2);
    assert!(kept_by(lower).starts_with("the cat sleepsthe cat sleeps wellThe"));
    // Another language's threshold changes nothing.
    let other = Sw::default()
        .with_threshold(Language::French, 0.9)
        .with_threshold(Language::German, 0.9);
    assert_eq!(kept_by(other), kept_by(Sw::default()));
    assert_eq!(Sw::default(), Sw::optimised());
    assert_ne!(Sw::default(), Sw::earlier());
}

#[test]
fn sw_keeps_all_where_it_cannot_be_used() {
    let html = format!("<html lang=zh><h1>首页</h1><p>{CHINESE}</p>—");
    check_sw(&html, Sw::default(), &format!("首页{CHINESE}"));
}

/// A menu of `n` links.
fn menu(n: usize) -> String {
    format!("<ul>{}</ul>", "<li><a href=/a/b>Menu</a></li>".repeat(n))
}

fn check_blurring(html: &str, blurring: Blurring, expected: &str) {
    assert_eq!(
        kept(html, |p| blurring::article(&View::whole(p), &blurring)),
        expected
    );
}

#[test]
fn blurring_keeps_long_runs_of_text() {
    let story = "A long run of text without tags. ".repeat(10);
    let html = format!("{}<p>{story}</p>{}", menu(9), menu(9));
    for blurring in [
        Blurring::ccb(),
        Blurring::accb(),
        Blurring::tccb(),
        Blurring::tccb_earlier(),
    ] {
        check_blurring(&html, blurring, story.trim_end());
    }
}

#[test]
fn accb_does_not_see_links_in_running_text() {
    let text = "Some ten words <a href=/a/very/long/address/of/a/page>linked</a> ".repeat(12);
    let end = "A sentence without a link stands at the beginning and at the end. ";
    let html = format!("{}<p>{end}{text}{end}</p>{}", menu(9), menu(9));
    let plain = format!("{end}{}{end}", "Some ten words linked ".repeat(12));
    check_blurring(&html, Blurring::accb(), plain.trim_end());
    check_blurring(&html, Blurring::ccb(), "");
    // With their text alone, a list of links is a run of text.
    let text_only = Blurring::accb().with_links(LinkTreatment::TextOnly);
    check_blurring(&html, text_only, plain.trim_end());
    let row = "<a href=/>A linked headline of some length</a> ".repeat(9);
    let headlines = "A linked headline of some length ".repeat(9);
    check_blurring(&row, text_only, headlines.trim_end());
    check_blurring(&row, Blurring::accb(), "");
    let counted = Blurring::accb().with_links(LinkTreatment::Counted);
    assert_eq!(counted, Blurring::ccb());
}

#[test]
fn tccb_does_not_see_how_long_tags_are() {
    let word = "one two three four five six seven eight nine ten eleven twelve ";
    let html = format!(
        "<p>{}</p>",
        format!("{word}<i class={}></i>", "x".repeat(99)).repeat(9)
    );
    check_blurring(&html, Blurring::tccb(), word.repeat(9).trim_end());
    check_blurring(&html, Blurring::ccb(), "");
    let tokens = Blurring::ccb().with_entries(Entries::Tokens);
    check_blurring(&html, tokens, word.repeat(9).trim_end());
}

#[test]
fn blurring_has_a_neighbourhood_and_a_threshold() {
    // 20 characters between tags of 30 and 5.
    let tag = format!("<p class={}>", "x".repeat(17));
    let html = format!("{tag}12345678901234567890</p>{tag}</p>{tag}");
    check_blurring(&html, Blurring::ccb(), "");
    let all = Blurring::ccb().with_threshold(0.0);
    check_blurring(&html, all, "12345678901234567890");
    check_blurring(
        &html,
        Blurring::ccb().with_radius(0),
        "12345678901234567890",
    );
    // No tags at all: nothing is code.
    check_blurring("a", Blurring::ccb(), "a");
    check_blurring("a", Blurring::accb().with_radius(usize::MAX), "a");
}

#[test]
fn a_long_run_is_as_good_as_a_longer_one() {
    // Runs longer than the rounds reach are cut in the vector: what is beside them
    // must not feel it, at any length around the limit of 2 * 2 * 16 + 1 = 65.
    let narrow = Blurring::ccb().with_radius(2);
    let beside = |n: usize| {
        let html = format!("<p>{}<b>{}</b>", "x".repeat(n), "y".repeat(9));
        kept(&html, |page| blurring::article(&View::whole(page), &narrow)).len() - n
    };
    let kept: Vec<usize> = [40, 64, 65, 66, 200, 5000].map(beside).into();
    assert!(kept.iter().all(|k| *k == kept[0]), "{kept:?}");
}

#[test]
fn spaces_between_kept_texts_are_kept() {
    for preset in Preset::ALL {
        let story = format!("<b>{ENGLISH}</b> <i>{ENGLISH}</i>");
        let html = format!("<html lang=en><p>{story}</p>");
        let method = preset.method();
        assert_eq!(
            kept(&html, |page| method.article(page)),
            format!("{ENGLISH} {ENGLISH}"),
            "{preset}"
        );
    }
}

proptest! {
    #[test]
    fn nothing_panics_and_all_that_is_kept_is_text(
        html in "(<(p|a href=x|b|div|br|table|td|template|svg|script|/p|/a|/div|/table)>|[a-z 中।\u{0}]{0,9}){0,60}",
        radius in 0_usize..200,
    ) {
        let page = Page::from_html(&html);
        let check = |name: &str, mask: Mask| {
            for n in mask.nodes() {
                assert!(page.kind(n) == Kind::Text && page.is_content(n), "{name}");
            }
        };
        for preset in Preset::ALL {
            check(preset.name(), preset.method().article(&page));
        }
        for blurring in [Blurring::accb(), Blurring::tccb()] {
            check("radius", blurring::article(&View::whole(&page), &blurring.with_radius(radius)));
        }
        check("radius", ttr::article(&View::whole(&page), &Ttr::default().with_radius(radius)));
    }

    #[test]
    fn whatever_bytes_come_in(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let page = Page::parse(&bytes, forest_html::page::Source::default());
        for preset in Preset::ALL {
            preset.method().article(&page);
        }
    }
}
