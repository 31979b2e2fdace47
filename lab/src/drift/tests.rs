use super::table::Alarms;
use super::*;
use forest_core::drift::relearn::OldTemplates;
use std::fs;

const WORDS: [&str; 12] = [
    "river", "harbour", "mill", "baker", "ferry", "valley", "winter", "organ", "bridge", "market",
    "island", "school",
];

/// A story of its own, a paragraph a line.
fn paragraphs(n: usize) -> Vec<String> {
    let paragraph = |p: usize| {
        let word = |i: usize| WORDS[(n * 7 + p * 5 + i * (n + 1)) % WORDS.len()];
        format!(
            "The {} of the old {} was closed for {} days, and nobody in the {} knew why it was so. \
             They said at the {} that it would open in {} weeks, when the {} comes.",
            word(1),
            word(2),
            n + p + 3,
            word(3),
            word(4),
            n + 2,
            word(5)
        )
    };
    (0..6).map(paragraph).collect()
}

/// A collection of one brand in two designs.
fn two_eras() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    for (site, class, first) in [("herald_2005", "story", 0), ("herald_2009", "entry", 10)] {
        fs::create_dir(dir.path().join(site)).expect("made");
        for n in first..first + 6 {
            let text = paragraphs(n);
            let body: String = text.iter().map(|p| format!("<p>{p}</p>")).collect();
            let html = format!(
                "<html lang=en><title>Story {n}</title><ul class=menu><li><a href=/>Home</a></ul>\
                 <div class={class}>{body}</div><div class=foot><a href=/imprint>Imprint</a></div>"
            );
            let gold = serde_json::json!({ "url": "", "title": "", "text": text.join("\n") });
            let put = |end: &str, text: String| {
                fs::write(dir.path().join(format!("{site}/{n}.{end}")), text).expect("written");
            };
            put("html", html);
            put("json", gold.to_string());
        }
    }
    dir
}

#[test]
fn a_redesign_is_noticed_and_learned_and_a_half_is_none() {
    let dir = two_eras();
    let collection = Collection::open(dir.path()).expect("opens");
    let cases = drift(&collection, &Method::Forest, &|_, _| None).expect("reads");
    let of = |step| cases.iter().filter(move |case| case.step == step);
    assert_eq!(of(EraStep::Half).count(), 4);
    for case in of(EraStep::Half) {
        assert!(case.mean() > 0.95 && case.own > 0.95, "{case:?}");
        assert_eq!((case.verdict, case.alarm_after), (Verdict::Ok, None));
        assert_eq!(case.relearned.how, None);
        assert!(!case.drifted());
    }
    let [next] = &of(EraStep::Next).collect::<Vec<_>>()[..] else {
        panic!("{cases:?}");
    };
    assert_eq!((&*next.from, &*next.to), ("herald_2005", "herald_2009"));
    assert_eq!((next.mean(), next.f1.len()), (0.0, 6));
    assert_eq!((next.verdict, next.alarm_after), (Verdict::Drift, Some(3)));
    assert_eq!(next.relearned.how, Some(OldTemplates::Replaced));
    assert!(next.relearned.f1 >= next.relearned.afresh - 0.01);
    assert!(next.relearned.f1 > 0.95);
    assert_eq!(of(EraStep::Mixed).count(), 2);
    for mixed in of(EraStep::Mixed) {
        assert!((mixed.mean() - 0.5).abs() < 0.05, "{mixed:?}");
        assert_eq!(mixed.verdict, Verdict::Drift);
    }
    let alarms = Alarms::of(&cases, |case| case.verdict);
    let expected = Alarms {
        noticed: 3,
        missed: 0,
        false_alarms: 0,
        quiet: 4,
    };
    assert_eq!(alarms, expected);
    assert_eq!((alarms.recall(), alarms.precision()), (1.0, 1.0));
    let table = DriftTable(&cases);
    assert!(table.to_string().contains("| `forest` next "), "{table}");
    assert_eq!(table.by_site().lines().count(), cases.len());
    assert_eq!(table.json()[0]["pages"][0]["status"], "ok");
}

#[test]
fn an_alarm_within_an_era_is_false_whatever_the_f1() {
    let dir = two_eras();
    let collection = Collection::open(dir.path()).expect("opens");
    let cases = drift(&collection, &Method::Forest, &|_, _| None).expect("reads");
    let mut case = cases[0].clone();
    assert_eq!(case.step, EraStep::Half);
    case.f1 = vec![0.0];
    case.verdict = Verdict::Drift;
    let alarms = Alarms::of([&case], |case| case.verdict);
    assert_eq!((alarms.false_alarms, alarms.precision()), (1, 0.0));
    case.step = EraStep::Next;
    assert_eq!(Alarms::of([&case], |case| case.verdict).noticed, 1);
    case.verdict = Verdict::Degraded;
    assert_eq!(Alarms::of([&case], |case| case.verdict).recall(), 0.0);
}
