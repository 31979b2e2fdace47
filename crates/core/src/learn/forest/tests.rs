use super::*;
use crate::learn::{
    AbstentionReason, LearnOptions, LearnOutcome, Method, SamplePage, induce, learn,
};
use crate::wrapper::{StripReason, Wrapper};
use forest_html::page::Page;
use std::borrow::Cow;

const WORDS: [&str; 3] = [
    "The orchard gave its harvest early this year, and the growers of the valley carried their \
     apples to the market square, where they were weighed, sorted and sold before noon.",
    "A lighthouse keeper wrote letters about storms, and the lamp burned on while ships passed \
     the reef, and the keeper counted every ship that came home before the winter.",
    "Weavers of the northern town dye wool with madder and woad, and the wool dries on long \
     lines, as it did when the town was known for it far beyond the mountains.",
];

/// A page of a site: its number chooses the words, `body` is given three paragraphs.
fn page(n: usize, body: impl Fn(&str) -> String) -> SamplePage {
    let paragraphs: String = (0..3)
        .map(|i| format!("<p>In week {n}{i}: {}</p>", WORDS[(n + i) % 3]))
        .collect();
    let html = format!(
        "<title>Story number {n}</title><div class=menu><a href=/>Home</a> <a href=/news>News</a></div>\
         {}<div class=footer>Copyright by the paper, all rights reserved. <a href=/imprint>Imprint</a></div>",
        body(&paragraphs)
    );
    SamplePage::new(Page::from_html(&html), format!("{n}"))
}

fn learned(pages: &[SamplePage]) -> Vec<Template> {
    let scored = pages.iter();
    let scored = scored.map(|p| (p, Cow::Borrowed(p.page.scores())));
    let found = templates(
        &SampleEvidence::of(scored.collect(), ForestLimits::default()),
        &induction(pages),
    );
    found.into_iter().map(|(template, _)| template).collect()
}

fn induction(pages: &[SamplePage]) -> Induction {
    induce(&pages.iter().collect::<Vec<_>>(), &LearnOptions::default())
}

#[test]
fn elements_of_relevant_patterns_are_candidates_however_they_score() {
    // Links in a menu are no article's, but the words of each stand on one page only.
    let pages: Vec<SamplePage> = (0..4)
        .map(|n| {
            let topic = ["heron", "badger", "otter", "falcon"][n];
            let menu = format!("<ul class=topics><li><a href=/{topic}>{topic} {topic}</a></ul>");
            page(n, |p| format!("{menu}<div class=story>{p}</div>"))
        })
        .collect();
    let scored = pages.iter().map(|p| (p, Cow::Borrowed(p.page.scores())));
    let sample = SampleEvidence::of(scored.collect(), ForestLimits::default());
    let induction = induction(&pages);
    let candidates = PatternRanking::of(&induction, &sample).candidates;
    let xpaths: Vec<String> = candidates
        .iter()
        .map(|c| c.xpath(&sample.selectors))
        .collect();
    for name in ["topics", "story"] {
        assert!(
            xpaths.iter().any(|xpath| xpath.contains(name)),
            "{name}: {xpaths:?}"
        );
    }
}

#[test]
fn of_bodies_of_nearly_the_same_worth_the_more_relevant_is_taken() {
    let site = |outer: &str, inner: &str| -> Vec<SamplePage> {
        let body = |n: usize| {
            move |p: &str| {
                format!(
                    "<div class='{outer}'><p>The {n} harvests, and what they were worth.</p><div class='{inner}'>{}</div></div>",
                    p.repeat(30)
                )
            }
        };
        (0..4).map(|n| page(n, body(n))).collect()
    };
    // The inner one is a level deeper and has no word less of those that the page is about.
    for (outer, inner) in [("first", "second"), ("second", "first")] {
        let [template] = &learned(&site(outer, inner))[..] else {
            panic!("one template");
        };
        let evidence = template.evidence.as_ref().expect("evidence");
        assert!(
            template.body[0].contains(&format!(" {inner} ")),
            "{:?}",
            template.body
        );
        assert_eq!(evidence.rank, Some(1));
    }
}

#[test]
fn a_name_is_found_and_what_repeats_is_stripped() {
    let pages: Vec<SamplePage> = (0..4)
        .map(|n| {
            page(n, |p| {
                format!(
                    "<div class='story s{n}'>{p}<div class=share>Share this story with your friends \
                     today, and follow us wherever you read the news of the day.</div></div>"
                )
            })
        })
        .collect();
    let templates = learned(&pages);
    assert_eq!(templates.len(), 1);
    let body = &templates[0].body[0];
    assert!(body.contains(" story "), "{body}");
    assert!(
        templates[0]
            .strip
            .iter()
            .any(|s| s.xpath.contains(" share ")),
        "{:?}",
        templates[0].strip
    );
}

/// The strips of a site whose pages have this body.
fn strips(body: impl Fn(usize, &str) -> String) -> Vec<String> {
    let pages: Vec<SamplePage> = (0..4).map(|n| page(n, |p| body(n, p))).collect();
    let [template] = &learned(&pages)[..] else {
        panic!("one template");
    };
    for (n, sample) in pages.iter().enumerate() {
        let wrapper = Wrapper {
            templates: vec![template.clone()],
            ..Wrapper::default()
        };
        let matcher = wrapper.compile().expect("learned expressions compile");
        let found = matcher.find(&sample.page).expect("the body");
        let texts = found.kept.texts(&sample.page);
        let text: String = texts.map(|n| sample.page.text(n)).collect();
        assert!(text.contains(&format!("In week {n}2: ")), "{text}");
        assert!(!text.contains("reader"), "{text}");
    }
    let strips = template.strip.iter();
    strips.map(|rule| rule.xpath.clone()).collect()
}

/// Teasers that are the same on each page.
const TEASERS: &str = "<p>What a reader of the north found in the attic of his aunt</p>\
                       <p>Every reader of this page should know what the mayor said</p>";

#[test]
fn what_follows_a_heading_without_a_name_of_its_own_is_stripped() {
    let strips =
        strips(|_, p| format!("<div class=story>{p}<h4>What others read</h4>{TEASERS}</div>"));
    assert!(
        strips
            .iter()
            .any(|s| s.contains("[normalize-space()='What others read']/following-sibling::node()")),
        "{strips:?}"
    );
}

#[test]
fn what_follows_an_element_without_text_is_stripped() {
    let strips = strips(|_, p| format!("<div class=story>{p}<a name=teasers></a>{TEASERS}</div>"));
    assert!(
        strips
            .iter()
            .any(|s| s.contains("a[@name='teasers']/following-sibling::node()")),
        "{strips:?}"
    );
}

#[test]
fn inline_elements_are_stripped_by_name_only() {
    let strips = strips(|_, p| {
        format!(
            "<div class=story><font class=menu><a href=/a>All reader services</a> | <a href=/b>Weather</a></font>\
             <br>{p}<p>Read <b>on</b> and <a href=/on>on</a>.</p></div>"
        )
    });
    assert!(
        strips
            .iter()
            .any(|s| s.contains("//font[") && s.contains(" menu ")),
        "{strips:?}"
    );
    assert!(
        strips
            .iter()
            .all(|s| !s.ends_with("//a") && !s.ends_with("//b")),
        "{strips:?}"
    );
}

/// Checks that the strips of a site leave `kept` of page 2, where its pages have this body
/// around and behind `p`.
fn check_kept(body: impl Fn(usize, &str) -> String, kept: &[&str]) {
    let pages: Vec<SamplePage> = (0..6).map(|n| page(n, |p| body(n, p))).collect();
    let options = LearnOptions::default();
    let LearnOutcome::Learned(learned) = learn(&pages, &options) else {
        panic!("nothing learned");
    };
    let matcher = learned.wrapper.compile().expect("compiles");
    let found = matcher.find(&pages[2].page).expect("the body");
    let text = crate::render::text(&pages[2].page, &found.kept);
    for kept in kept {
        let strips = &learned.wrapper.templates[0].strip;
        assert!(text.contains(kept), "{kept} is not in {text}: {strips:?}");
    }
    assert!(!text.contains("reader"), "{text}");
}

/// The words of a page that no other has.
const OWN: [&str; 6] = ["anvil", "bellows", "chisel", "drill", "easel", "file"];

#[test]
fn what_is_the_article_s_by_its_kind_stays() {
    let rows = |n: usize| {
        let rows =
            (0..4).map(|i| format!("<tr><td>Weight {}{i}</td><td>{n}{i} t</td></tr>", OWN[n]));
        rows.collect::<String>()
    };
    let story = |p: &str, more: &str| format!("<div class=story>{p}{more}</div>");
    // A table of data, in a figure or with all that follows.
    let table = |n| format!("<table class=data>{}</table>", rows(n));
    check_kept(
        |n, p| story(p, &format!("<figure class=specs>{}</figure>", table(n))),
        &["Weight chisel0\t20 t"],
    );
    check_kept(
        |n, p| story(p, &(table(n) + TEASERS)),
        &["Weight chisel0\t20 t"],
    );
    // Footnotes, captions, listings.
    let note = |n: usize| format!("<p>See the {} in the list, page {n}.</p>", OWN[n]);
    check_kept(
        |n, p| story(p, &format!("<div class=footnotes>{}</div>", note(n))),
        &["See the chisel"],
    );
    check_kept(
        |n, p| {
            story(
                p,
                &format!(
                    "<figure class=f><img src=/{n}.jpg><figcaption>An old {} of {n}</figcaption></figure>",
                    OWN[n]
                ),
            )
        },
        &["An old chisel of 2"],
    );
    check_kept(
        |n, p| {
            story(
                p,
                &format!("<pre class=out>{} = {n}\nexit {n}</pre>", OWN[n]),
            )
        },
        &["chisel = 2"],
    );
}

#[test]
fn a_list_of_sources_is_no_list_of_related_articles() {
    let related: String = (0..8)
        .map(|i| {
            format!("<li><a href=/n/{i}>What a reader of the paper found in attic {i}</a></li>")
        })
        .collect();
    let sources = |n: usize| match n % 4 {
        2 => format!(
            "<h3>Sources</h3><ul><li><a href=/s>Report on the {0}</a><li><a href=/t>Minutes of the {0}</a></ul>",
            OWN[n]
        ),
        _ => String::new(),
    };
    check_kept(
        |n, p| {
            let box_ = format!("<div class=related><h3>For a reader</h3><ul>{related}</ul></div>");
            format!("<div class=story>{p}{}{box_}</div>", sources(n))
        },
        &["Report on the chisel", "Minutes of the chisel"],
    );
}

#[test]
fn questions_with_answers_and_things_that_are_needed_stay() {
    let card = |head: &str, text: &str| {
        format!(
            "<div class=card><div class=head><button>{head}</button></div><div class=in><p>{text}</div></div>"
        )
    };
    let cards = |n: usize| {
        card(
            "May I see the shed?",
            &format!("Yes, beside the {}.", OWN[n]),
        ) + &card("Is it safe?", &format!("The {} was checked.", OWN[n]))
            + &card("Are dogs allowed?", "Not in the shed.")
    };
    check_kept(
        |n, p| {
            format!(
                "<div class=story>{p}<div class=cards>{}</div></div>",
                cards(n)
            )
        },
        &["beside the chisel", "The chisel was checked."],
    );
    let needed = |n: usize| {
        format!(
            "<ul><li>3 {0}s<li>a new {0}<li>1 pinch of salt</ul>",
            OWN[n]
        )
    };
    check_kept(
        |n, p| {
            format!(
                "<main class=work><p class=intro>{}</p><div class=need><h2>You need</h2>{}</div>\
                 <div class=steps><h2>How</h2>{p}</div></main>",
                WORDS[n % 3],
                needed(n)
            )
        },
        &["3 chisels", "a new chisel"],
    );
}

#[test]
fn what_some_pages_share_below_their_text_goes() {
    // The boxes of two authors, and related articles in pairs.
    let authors = ["Orla", "Tam"];
    let about = |n: usize| {
        let name = authors[n % 2];
        format!(
            "<div class=about><h4>{name}</h4><p>{name} has written for a reader of the paper \
             for years, and lives with two donkeys above the town.</p></div>"
        )
    };
    let story = |n: usize| {
        format!(
            "<h1>Week {n}{n} of the {} in the valley</h1>\
             <p>In this series we walk the valley from its spring to the sea, and write down what we find on the way \
             to the mouth of the river.</p>",
            OWN[n]
        )
    };
    check_kept(
        |n, p| {
            format!(
                "<main><div class=story>{}{p}</div>{}</main>",
                story(n),
                about(n)
            )
        },
        &["In this series we walk"],
    );
    let next = |n: usize| {
        format!(
            "<div class=next><p>What else a reader of page {} should know of the {}.</p></div>",
            n / 2,
            OWN[n / 2]
        )
    };
    check_kept(
        |n, p| {
            format!(
                "<main><div class=story>{}{p}</div>{}</main>",
                story(n),
                next(n)
            )
        },
        &["In this series we walk"],
    );
}

#[test]
fn line_numbers_are_one_rule_however_many_lines() {
    let strips = strips(|n, p| {
        let listing = |lines: usize| {
            let numbers: Vec<String> = (1..=lines).map(|line| line.to_string()).collect();
            let code = format!("let {} = {n};\n", OWN[n]).repeat(lines);
            format!(
                "<div><pre>{}</pre><pre>{code}</pre></div>",
                numbers.join("\n")
            )
        };
        format!(
            "<div class=story>{p}{}{}{p}</div>",
            listing(n + 9),
            listing(n + 20)
        )
    });
    let of_numbers = strips.iter().filter(|s| s.contains("0123456789"));
    assert_eq!(of_numbers.count(), 1, "{strips:?}");
    assert!(!strips.iter().any(|s| s.contains("='1 2")), "{strips:?}");
}

#[test]
fn learned_strips_say_what_they_expect() {
    let share = "<div class=share>Share this story with every reader today, and <a href=/f>follow us</a>.</div>";
    let pages: Vec<SamplePage> = (0..6)
        .map(|n| page(n, |p| format!("<div class=story>{p}{share}</div>")))
        .collect();
    let LearnOutcome::Learned(learned) = learn(&pages, &LearnOptions::default()) else {
        panic!("nothing learned");
    };
    let [strip] = &learned.wrapper.templates[0].strip[..] else {
        panic!("one strip: {:?}", learned.wrapper.templates[0].strip);
    };
    let expect = strip.expect.as_ref().expect("an expect");
    let [least, most] = expect.words.expect("words");
    assert!(least <= 11 && most >= 11, "{expect:?}");
    assert_eq!(expect.kinds.as_deref(), Some(&[][..]));
    // On another page a table has its name: it stays.
    let other = page(7, |p| {
        format!("<div class=story>{p}<div class=share><table><tr><td>Own<td>1</table></div></div>")
    });
    let matcher = learned.wrapper.compile().expect("compiles");
    let found = matcher.find(&other.page).expect("the body");
    assert_eq!(found.unexpected, 1);
    assert!(crate::render::text(&other.page, &found.kept).contains("Own"));
}

#[test]
fn names_that_no_other_page_has_identify_nothing() {
    let pages: Vec<SamplePage> = (0..6)
        .map(|n| {
            page(n, |p| {
                format!(
                    "<div class='css-{n}x{n}k'><div class='css-{}q{n}'>{p}</div></div>",
                    n + 1
                )
            })
        })
        .collect();
    let outcome = learn(&pages, &LearnOptions::default());
    let LearnOutcome::Abstained(why) = outcome else {
        panic!("learned: {outcome:?}");
    };
    assert_eq!(why.reason, AbstentionReason::NoNames);
}

#[test]
fn an_inline_element_may_be_the_body() {
    let pages: Vec<SamplePage> = (0..4)
        .map(|n| {
            page(n, |p| {
                let lines = p.replace("<p>", "").replace("</p>", "<br><br>");
                format!("<table><tr><td><span class=copy>{lines}</span><br>Print Mail Save</table>")
            })
        })
        .collect();
    let body = &learned(&pages)[0].body[0];
    assert!(
        body.contains("//span[") && body.contains(" copy "),
        "{body}"
    );
}

#[test]
fn two_layouts_are_two_templates() {
    let pages: Vec<SamplePage> = (0..6)
        .map(|n| match n % 2 {
            0 => page(n, |p| format!("<div class=story>{p}</div>")),
            _ => page(n, |p| format!("<table><tr><td id=live>{p}</table>")),
        })
        .collect();
    let bodies: Vec<String> = learned(&pages)
        .into_iter()
        .map(|t| t.body[0].clone())
        .collect();
    assert_eq!(bodies.len(), 2, "{bodies:?}");
    let has = |name: &str| bodies.iter().any(|body| body.contains(name));
    assert!(has(" story ") && has("live"), "{bodies:?}");
}

#[test]
fn no_article_no_template() {
    let empty = |n: usize| SamplePage::new(Page::from_html("<a href=/>Home</a>"), format!("{n}"));
    assert!(learned(&[empty(0), empty(1)]).is_empty());
    assert!(learned(&[]).is_empty());
}

#[test]
fn the_same_sample_gives_the_same_templates() {
    let sample = || -> Vec<SamplePage> {
        (0..4)
            .map(|n| {
                page(n, |p| {
                    format!("<div id=post-{n}123 class='story text'>{p}</div>")
                })
            })
            .collect()
    };
    assert_eq!(learned(&sample()), learned(&sample()));
}

/// The evidence of the templates of a site's wrapper.
fn evidence(pages: &[SamplePage]) -> Vec<Evidence> {
    let options = LearnOptions::default().with_method(Method::Forest);
    match learn(pages, &options) {
        LearnOutcome::Learned(learned) => {
            let templates = learned.wrapper.templates.into_iter();
            templates.filter_map(|t| t.evidence).collect()
        }
        LearnOutcome::Abstained(why) => panic!("{}", why.reason),
    }
}

#[test]
fn a_template_says_which_pages_it_carries() {
    let pages: Vec<SamplePage> = (0..6)
        .map(|n| match n % 3 {
            0 => page(n, |p| format!("<div class=story>{p}</div>")),
            _ => page(n, |p| format!("<table><tr><td id=live>{p}</table>")),
        })
        .collect();
    let evidence = evidence(&pages);
    let carried: Vec<&[usize]> = evidence.iter().map(|e| &*e.pages).collect();
    assert_eq!(carried, [&[1, 2, 4, 5][..], &[0, 3]]);
}

#[test]
fn a_template_says_what_its_strips_take() {
    let pages: Vec<SamplePage> = (0..4)
        .map(|n| {
            let share = "<div class=share>Share this story with your friends today.</div>";
            page(n, |p| format!("<div class=story>{p}{share}</div>"))
        })
        .collect();
    let [evidence] = &evidence(&pages)[..] else {
        panic!("one template");
    };
    assert!(evidence.pages.is_empty(), "it carries all: {evidence:?}");
    let [strip] = &evidence.strips[..] else {
        panic!("one strip: {evidence:?}");
    };
    assert!(strip.xpath.contains(" share "));
    assert_eq!(
        (strip.pages, strip.words, strip.why),
        (4, 28, StripReason::Repeats)
    );
}

/// `full` times with the heavy tests, else a hundredth of it.
fn many(part: &str, full: usize) -> String {
    part.repeat(if cfg!(feature = "heavy") {
        full
    } else {
        full / 100
    })
}

#[test]
fn shapes_that_nobody_writes_are_learned_in_time() {
    let lines = |n: usize| format!("{} It is week {n}.<br>", WORDS[n % 3]);
    let check = |body: &dyn Fn(usize) -> String| {
        let pages: Vec<SamplePage> = (0..3)
            .map(|n| SamplePage::new(Page::from_html(&body(n)), format!("{n}")))
            .collect();
        learned(&pages)
    };
    let story = |n: usize| format!("<div class=story><p>{}</p>", lines(n).repeat(5));
    check(&|n| format!("<p>{n} {}", many("<i>a b</i> <b class=x>c</b> ", 300_000)));
    check(&|n| "<span class=a>".repeat(480) + &many(&lines(n), 20_000));
    check(&|n| "<div class=a>".repeat(480) + &many(&format!("<p>{}", lines(n)), 20_000));
    check(&|n| story(n) + "</div>" + &many("<p class=c>Buy <a href=x>now</a>", 200_000));
    let templates = check(&|n| story(n) + &many("<img class=x><a name=y></a>", 200_000));
    assert!(templates[0].body[0].contains("story"), "{templates:?}");
    let named = |n: usize| -> String {
        let paragraphs = 0..if cfg!(feature = "heavy") { 50_000 } else { 500 };
        paragraphs
            .map(|i| format!("<p class='a{i}b c{i}'>{n} and {i}"))
            .collect()
    };
    check(&|n| story(n) + &named(n));
}

#[test]
fn tags_that_no_expression_can_say_are_in_none() {
    for tag in ["o:p", "a\u{7e053}t", "x\"y", "p$"] {
        let pages: Vec<SamplePage> = (0..4)
            .map(|n| {
                page(n, |p| {
                    format!(
                        "<{tag} class=story>{p}<{tag}>Read this next</{tag}><p><{tag}>Share this story \
                         with your friends today, and follow us</{tag}></p></{tag}>"
                    )
                })
            })
            .collect();
        for method in [
            Method::Forest,
            Method::Paper,
            Method::PaperNoDfs,
            Method::Coverage,
        ] {
            let options = LearnOptions::default()
                .with_site("a.example")
                .with_method(method);
            match learn(&pages, &options) {
                LearnOutcome::Learned(learned) => {
                    learned.wrapper.compile().expect("expressions compile");
                }
                LearnOutcome::Abstained(why) => {
                    let expected = (Method::Forest, AbstentionReason::NoNames);
                    assert_eq!((method, why.reason), expected, "<{tag}>");
                }
            }
        }
    }
}

#[test]
fn a_body_has_alternatives_that_select_the_same() {
    let of = |body: &dyn Fn(&str) -> String| -> Vec<Vec<String>> {
        let pages: Vec<SamplePage> = (0..4).map(|n| page(n, body)).collect();
        learned(&pages)
            .into_iter()
            .map(|template| template.body)
            .collect()
    };
    let class = |tag: &str, name: &str| {
        format!("//{tag}[contains(concat(' ',normalize-space(@class),' '),' {name} ')]")
    };
    // An element with three kinds of names, and one around it.
    let found = of(&|p| {
        format!("<main><div class='story wide' id=text itemprop=articleBody>{p}</div></main>")
    });
    let [body] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(body[0], "//main");
    assert_eq!(body.len(), 4, "{body:?}");
    for other in [
        class("div", "story"),
        "//div[@id='text']".into(),
        "//div[@itemprop='articleBody']".into(),
    ] {
        assert!(body.contains(&other), "{other} is not in {body:?}");
    }
    // Not what holds more, nor what stands on a page elsewhere.
    let found = of(&|p| {
        let teaser = "<p>What a reader of the north found in the attic of his aunt, and what he did with it</p>";
        format!(
            "<main><div class=story>{p}</div><div class=more>{teaser}</div></main><div class=wide>{teaser}</div>"
        )
    });
    assert_eq!(found, [[class("div", "story")]]);
    // A body in pieces has none.
    let found = of(&|p| {
        format!("<div class=story id=s>{p}</div><p class=by>x<div class=second id=t>{p}</div>")
    });
    assert!(
        found
            .iter()
            .all(|body| body[0].contains('|') == (body.len() == 1)),
        "{found:?}"
    );
}
