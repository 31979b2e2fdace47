//! Settings and profiles.

use super::*;

#[test]
fn a_file_sets_some_over_a_profile() {
    let read = |text: &str| FilterSettings::from_yaml(text).expect(text);
    assert_eq!(read(""), FilterSettings::default());
    assert_eq!(read("# nothing\n"), FilterSettings::default());
    assert_eq!(read("profile: speech\n"), Profile::Speech.settings());
    let settings = read("profile: text\nlink_ratio: 1\nblocks: lqf\nsubstance: [img]\n");
    let expected = FilterSettings {
        link_ratio: 1.0,
        blocks: BlockMethod::Lqf,
        substance: vec!["img".into()],
        ..Profile::Text.settings()
    };
    assert_eq!(settings, expected);
}

#[test]
fn a_written_file_is_read_back() {
    for profile in Profile::ALL {
        let settings = profile.settings();
        assert_eq!(
            FilterSettings::from_yaml(&settings.to_yaml()).ok(),
            Some(settings)
        );
        assert_eq!(Profile::by_name(profile.name()), Some(profile));
    }
    assert_eq!(Profile::by_name("magic"), None);
}

#[test]
fn the_table_of_settings_is_complete() {
    let table = include_str!("../../../../../docs/crunch.md");
    let settings = serde_json::to_value(FilterSettings::default()).expect("settings are JSON");
    for (name, value) in settings.as_object().expect("an object") {
        let row = match value {
            serde_json::Value::Array(_) => format!("| `{name}` | `["),
            serde_json::Value::String(value) => format!("| `{name}` | `{value}` |"),
            value => format!("| `{name}` | `{value}` |"),
        };
        assert!(table.contains(&row), "{row}");
    }
    for profile in Profile::ALL {
        assert!(
            table.contains(&format!("| `{}` |", profile.name())),
            "{profile:?}"
        );
    }
}

#[test]
fn every_mistake_has_its_line_and_key() {
    let check = |text: &str, parts: &[&str]| {
        let error = FilterSettings::from_yaml(text).expect_err(text).to_string();
        for part in parts {
            assert!(error.contains(part), "{error} says {part}");
        }
    };
    check("ads: true\nscrips: no\n", &["line 2", "scrips"]);
    check("\nprofile: magic\n", &["line 2", "magic", "reader"]);
    check("ads: maybe\n", &["line 1", "ads"]);
    check(
        "ads: true\nlink_ratio: -1\n",
        &["line 2", "link_ratio", "from 0"],
    );
    check("link_ratio: .nan\n", &["line 1", "link_ratio"]);
    check(
        "chars_per_word: 0\n",
        &["line 1", "chars_per_word", "above 0"],
    );
    check("portal_share: 2\n", &["line 1", "portal_share", "0 to 1"]);
    check("least_links: -1\n", &["line 1", "least_links"]);
    check("substance: [img, 'a b']\n", &["line 1", "substance"]);
    check("- a\n", &["settings"]);
    check(&"[".repeat(MAX_SETTINGS_BYTES + 1), &["more than"]);
}

#[test]
fn hosts_of_lists() {
    let mut list = AdList::default();
    let text = "127.0.0.1 localhost\n0.0.0.0 Ads.example # a comment\n::1 b.example c.example\n\
                ! rules\n[Adblock Plus 2.0]\n||d.example^\n# comment\n## comment\n\
                h.example\n0.0.0.0 no..host!\nno host\n/[a-z]+/\n";
    assert_eq!(
        list.add(text),
        if cfg!(feature = "adblock") { 1 } else { 3 }
    );
    for host in ["ads", "b", "c", "d", "h"] {
        assert!(list.matches(&format!("http://{host}.example")), "{host}");
    }
    assert!(!list.matches("http://f.example/banner"));
    assert!(list.matches(" \thttps://www.ADS.example./x"));
    assert!(list.matches("/\\ads.example"));
    assert!(!AdList::shipped().is_empty());
}

#[test]
fn rules_of_lists_are_read_with_their_feature() {
    let text = "||e.example^$third-party\n||f.example/banner\n##.ad\n@@||g.example^\ni.example#@#.x\nj.example##.y\n";
    let mut list = AdList::default();
    let unread = list.add(text);
    if cfg!(feature = "adblock") {
        assert_eq!((unread, list.len()), (0, 6));
    } else {
        assert_eq!((unread, list.len()), (5, 1));
        assert!(list.matches("http://e.example"));
    }
    assert!(!list.matches("http://i.example") && !list.matches("http://j.example"));
    let digest = list.digest().to_owned();
    list.add("i.example");
    assert_ne!(list.digest(), digest);
}
