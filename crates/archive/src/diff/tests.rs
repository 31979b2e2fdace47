use super::*;
use forest_html::page::Page;

fn check(old: &str, new: &str, expected: &str) {
    let diff = Diff::of(old, new);
    holds(&diff, old, new);
    let all = Hunk {
        after_gap: false,
        before_gap: false,
        pieces: diff.pieces.clone(),
    };
    assert_eq!(
        terminal(&[all], false),
        format!("{expected}\n"),
        "{old:?} {new:?}"
    );
}

/// Both texts can be read from the diff.
fn holds(diff: &Diff, old: &str, new: &str) {
    let side = |not: EditOp| -> String {
        let of = diff.pieces.iter().filter(|piece| piece.op != not);
        of.map(|piece| piece.text.as_str()).collect()
    };
    assert_eq!(side(EditOp::Insert), old);
    assert_eq!(side(EditOp::Delete), new);
    for pair in diff.pieces.windows(2) {
        assert_ne!(pair[0].op, pair[1].op);
    }
}

#[test]
fn words_are_compared_with_their_marks() {
    check("", "", "");
    check("a", "a", "a");
    check("", "a b", "{+a b+}");
    check("a b", "", "[-a b-]");
    check("It is nine.", "It is ten.", "It is [-nine-]{+ten+}.");
    check("He said so", "He said so.", "He said so{+.+}");
    check("one two three", "one 2 3", "one [-two three-]{+2 3+}");
    check("Don't go", "Don't stay", "Don't [-go-]{+stay+}");
    check("Ça va", "ça va", "[-Ça-]{+ça+} va");
    check("大雨停了", "大雪停了", "大[-雨-]{+雪+}停了");
}

#[test]
fn lines_stay_lines() {
    check("a b\nc d", "a b\nnew line\nc d", "a b\n{+new line\n+}c d");
    check("a b\nc d", "c d", "[-a b\n-]c d");
    check("a b\nc d\ne f", "a b\nc x\ne f", "a b\nc [-d-]{+x+}\ne f");
    // The words of an inserted paragraph are not matched with its neighbour's.
    check(
        "the ferry left the harbour at nine\n",
        "the master left the harbour\nthe ferry left the harbour at nine\n",
        "{+the master left the harbour\n+}the ferry left the harbour at nine",
    );
}

#[test]
fn changes_far_apart_are_hunks_of_their_own() {
    let old = "a b c d e f g h i j k l m";
    let new = "a b c X e f g h i j k Y m";
    let hunks = Diff::of(old, new).hunks(2);
    assert_eq!(
        terminal(&hunks, false),
        "... b c [-d-]{+X+} e f ...\n... j k [-l-]{+Y+} m\n"
    );
    let hunks = Diff::of(old, new).hunks(4);
    let whole = "a b c [-d-]{+X+} e f g h i j k [-l-]{+Y+} m\n";
    assert_eq!(terminal(&hunks, false), whole);
    let hunks = Diff::of(old, new).hunks(0);
    assert_eq!(
        terminal(&hunks, false),
        "... [-d-]{+X+} ...\n... [-l-]{+Y+} ...\n"
    );
    assert_eq!(Diff::of(old, old).hunks(3), []);
    assert!(Diff::of(old, old).is_empty());
}

#[test]
fn words_are_counted() {
    assert_eq!(Diff::of("a b c", "a x y c d").words_changed(), (3, 1));
}

#[test]
fn colours_stand_around_the_marks() {
    let hunks = Diff::of("a b", "a c").hunks(1);
    assert_eq!(
        terminal(&hunks, true),
        "a \u{1b}[31m[-b-]\u{1b}[0m\u{1b}[32m{+c+}\u{1b}[0m\n"
    );
}

#[test]
fn texts_do_not_steer_a_terminal() {
    let hunks = Diff::of("a", "a \u{1b}[2J\u{9b}x\r").hunks(1);
    let shown = terminal(&hunks, false);
    assert!(!shown.contains(['\u{1b}', '\u{9b}', '\r']), "{shown:?}");
}

#[test]
fn html_is_escaped_and_json_is_a_list_of_lists() {
    let diff = Diff::of("a <b>\nc", "a <script>\nc");
    let hunks = diff.hunks(3);
    assert_eq!(
        html(&hunks),
        "<p>a &lt;<del>b</del><ins>script</ins>&gt;<br>c</p>\n"
    );
    let page = Page::from_html(&html(&hunks));
    assert!(
        page.elements()
            .all(|n| &**page.tag(n).expect("a tag") != "script")
    );
    assert_eq!(
        json(&Diff::of("a", "a b").hunks(1)).to_string(),
        r#"[[{"op":"equal","text":"a"},{"op":"insert","text":" b"}]]"#
    );
}

/// A megabyte with few words, so that there is no anchor, and a megabyte without common
/// words: the budget ends the search, with the same result each time.
#[test]
fn the_effort_is_bounded() {
    let mut seed = 7_u64;
    let mut random = |words: u64, count: usize, sep: &str| -> String {
        let word = |_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            format!("w{}", (seed >> 33) % words)
        };
        (0..count).map(word).collect::<Vec<_>>().join(sep)
    };
    for (words, sep) in [(2, "\n"), (2, " "), (50, " "), (1_000_000, " ")] {
        let (old, new) = (random(words, 300_000, sep), random(words, 300_000, sep));
        let diff = Diff::of(&old, &new);
        holds(&diff, &old, &new);
        assert!(!diff.is_empty());
    }
    let mut changed = random(5000, 150_000, " ").replace("w7 ", "w7\n");
    let old = changed.clone();
    changed.replace_range(500_000..500_002, "XX");
    changed.insert_str(0, "new beginning ");
    changed.push_str(" new end");
    let diff = Diff::of(&old, &changed);
    let (put_in, taken_out) = diff.words_changed();
    assert!(put_in <= 7 && taken_out <= 2, "{put_in} {taken_out}");
}
