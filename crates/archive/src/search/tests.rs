use super::super::{ArticleVersion, StoredArticle};
use super::*;
use crate::error::{Error, Result};
use forest_core::extract::Article;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn time(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).expect("a time")
}

/// The only version of an article.
fn article(id: i64, language: &str, title: &str, text: &str) -> (StoredArticle, ArticleVersion) {
    let url = format!("https://example.org/{id}");
    let stored = StoredArticle {
        id,
        key: url.clone(),
        url: url.clone(),
        site: "example.org".to_owned(),
        first_seen: time(1_000),
        versions: 1,
    };
    let version = ArticleVersion {
        id,
        article: id,
        number: 1,
        at: time(1_000),
        wrapper: None,
        record: Article {
            url: Some(url),
            title: Some(title.to_owned()),
            text: text.to_owned(),
            language: Some(language.to_owned()),
            status: Status::Ok,
            ..Article::default()
        },
        changed: id,
        raw: None,
    };
    (stored, version)
}

/// Adds these versions to an index.
fn follow(
    index: &mut SearchIndex,
    versions: &[(StoredArticle, ArticleVersion)],
) -> Result<CaughtUp> {
    index.follow(|after, f| {
        let new = versions
            .iter()
            .filter(|(_, version)| version.changed > after);
        new.cloned()
            .try_for_each(|(article, version)| f(article, version))
    })
}

#[test]
fn an_index_that_many_processes_wrote_has_few_segments() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("index");
    let all: Vec<_> = (1..=60)
        .map(|id| article(id, "en", "A title", "Some words of a text."))
        .collect();
    for count in 1..=all.len() {
        let mut index = SearchIndex::open(&path).expect("an index");
        follow(&mut index, &all[..count]).expect("added");
    }
    let index = SearchIndex::open(&path).expect("an index");
    assert_eq!(index.articles(), 60);
    let meta = fs::read(path.join("meta.json")).expect("a file");
    let meta: serde_json::Value = serde_json::from_slice(&meta).expect("JSON");
    let segments = meta["segments"].as_array().expect("segments").len();
    assert!(segments < 16, "{segments}");
}

fn index_of(versions: &[(StoredArticle, ArticleVersion)]) -> (TempDir, SearchIndex) {
    let dir = tempfile::tempdir().expect("a folder");
    let mut index = SearchIndex::open(&dir.path().join("index")).expect("made");
    let added = follow(&mut index, versions).expect("followed");
    assert_eq!(added, CaughtUp::Added(versions.len()));
    (dir, index)
}

fn query(words: &str) -> Query {
    Query {
        words: words.to_owned(),
        ..Query::default()
    }
}

fn articles(index: &SearchIndex, query: &Query) -> Vec<i64> {
    let found = index.search(query).expect("searched");
    found.hits.iter().map(|hit| hit.article).collect()
}

/// Checks that `words` finds the articles `expected`, in any order.
fn finds(index: &SearchIndex, words: &str, expected: &[i64]) {
    let mut found = articles(index, &query(words));
    found.sort_unstable();
    assert_eq!(found, expected, "{words}");
}

#[test]
fn words_are_found_in_the_language_of_each_text() {
    let (_dir, index) = index_of(&[
        article(1, "en", "Dogs", "Two dogs were barking at the ferries."),
        article(
            2,
            "de",
            "Hunde",
            "Die Hunde bellten, als die Häuser brannten.",
        ),
        article(3, "fr", "Chiens", "Les chiens aboyaient devant l'église."),
        article(
            4,
            "el",
            "Σκύλοι",
            "Οι σκύλοι γαύγιζαν στους δρόμους της Αθήνας.",
        ),
        article(5, "ja", "東京の雨", "東京都では大雨が降りました。"),
        article(6, "zh", "北京下雨", "北京市昨天下了大雨,手机用户收到警报。"),
        article(7, "und", "Qapla", "tlhIngan Hol Dajatlh"),
    ]);
    finds(&index, "dog", &[1]);
    finds(&index, "barked ferry", &[1]);
    finds(&index, "Hund", &[2]);
    finds(&index, "hauses", &[2]);
    finds(&index, "église", &[3]);
    finds(&index, "chien", &[3]);
    finds(&index, "δρόμοι", &[4]);
    finds(&index, "大雨", &[5, 6]);
    finds(&index, "東京都", &[5]);
    finds(&index, "手机用户", &[6]);
    finds(&index, "手机警报", &[]);
    finds(&index, "手机 警报", &[6]);
    // One character, at the begin of a run, within one, and at its end.
    finds(&index, "手", &[6]);
    finds(&index, "雨", &[5, 6]);
    finds(&index, "都", &[5]);
    finds(&index, "報", &[]);
    finds(&index, "大雨 -都", &[6]);
    finds(&index, "hol", &[7]);
    // A stop word in one language, a word in others.
    finds(&index, "die", &[]);
    finds(&index, "the", &[]);
    let german = Query {
        language: Some(Language::German),
        ..query("hunde")
    };
    assert_eq!(articles(&index, &german), [2]);
    let french = Query {
        language: Some(Language::French),
        ..query("hunde")
    };
    assert!(articles(&index, &french).is_empty());
}

#[test]
fn all_words_must_be_there_and_none_that_is_excluded() {
    let (_dir, index) = index_of(&[
        article(1, "en", "Rain", "Heavy snow fell on the harbour."),
        article(2, "en", "Weather", "Rain fell, and snow was heavy."),
        article(3, "en", "A well-known face", "Nothing of the sort."),
        article(4, "en", "Known", "The well is known to be dry."),
    ]);
    finds(&index, "rain snow", &[1, 2]);
    finds(&index, "rain harbour", &[1]);
    finds(&index, "rain sun", &[]);
    finds(&index, "\"heavy snow\"", &[1]);
    finds(&index, "snow -\"heavy snow\"", &[2]);
    finds(&index, "snow -harbour", &[2]);
    finds(&index, "well-known", &[3]);
    finds(&index, "well known", &[3, 4]);
    // Stop words keep their positions in words in a row.
    finds(&index, "\"well is known\"", &[4]);
    finds(&index, "-snow", &[]);
    finds(&index, "", &[]);
    for odd in [
        "\"",
        "a AND (",
        "title:x^2~",
        "[a TO b]",
        "*",
        "\\",
        "-",
        "\0",
        "\u{202e}",
    ] {
        index.search(&query(odd)).expect(odd);
    }
    index
        .search(&query(&"rain \"snow ".repeat(5_000)))
        .expect("long");
}

#[test]
fn a_title_counts_twice() {
    let (_dir, index) = index_of(&[
        article(1, "en", "Snow", "Ferry words words words"),
        article(2, "en", "Ferry", "Snow words words words"),
    ]);
    assert_eq!(articles(&index, &query("ferry")), [2, 1]);
    assert_eq!(articles(&index, &query("snow")), [1, 2]);
}

#[test]
fn ties_are_ordered_by_date_and_then_by_age_in_the_archive() {
    let mut versions: Vec<_> = (1..=4)
        .map(|id| article(id, "en", "Ferry", "Snow."))
        .collect();
    versions[2].1.record.date_published = Some("2020-05-01".to_owned());
    versions.swap(0, 1);
    (versions[0].1.changed, versions[1].1.changed) = (1, 2);
    let (_dir, index) = index_of(&versions);
    assert_eq!(articles(&index, &query("ferry")), [3, 1, 2, 4]);
    let page = |offset, limit| Query {
        offset,
        limit,
        ..query("ferry")
    };
    assert_eq!(articles(&index, &page(1, 2)), [1, 2]);
    assert!(articles(&index, &page(9, 2)).is_empty());
    assert!(articles(&index, &page(usize::MAX, usize::MAX)).is_empty());
    assert_eq!(index.search(&page(0, 1)).expect("searched").total, 4);
}

#[test]
fn filters() {
    let mut versions: Vec<_> = (1..=4)
        .map(|id| article(id, "en", "Snow", "It fell."))
        .collect();
    versions[0].0.site = "other.example".to_owned();
    versions[1].1.record.status = Status::Fallback;
    versions[2].1.record.date_published = Some("2020-05-01T10:00:00+02:00".to_owned());
    versions[3].1.record.date_published = Some("soon".to_owned());
    let (_dir, index) = index_of(&versions);
    let check = |change: fn(&mut Query), expected: &[i64]| {
        let mut query = query("snow");
        change(&mut query);
        let mut found = articles(&index, &query);
        found.sort_unstable();
        assert_eq!(found, expected, "{query:?}");
    };
    check(|_| (), &[1, 2, 3, 4]);
    let both = ["other.example", "nowhere.example"];
    check(|q| q.sites = Some(vec!["other.example".to_owned()]), &[1]);
    check(|q| q.sites = Some(vec!["other".to_owned()]), &[]);
    let of_both = |q: &mut Query| q.sites = Some(both.map(str::to_owned).to_vec());
    let mut of_sites = query("snow");
    of_both(&mut of_sites);
    assert_eq!(articles(&index, &of_sites), [1]);
    check(|q| q.sites = Some(Vec::new()), &[]);
    check(|q| q.articles = Some(vec![2, 4, 9]), &[2, 4]);
    check(|q| q.articles = Some(Vec::new()), &[]);
    check(
        |q| q.statuses = vec![Status::Fallback, Status::Degraded],
        &[2],
    );
    let eight = 1_588_320_000;
    assert_eq!(time(eight).to_rfc3339(), "2020-05-01T08:00:00+00:00");
    check(|q| q.since = Some(time(1_588_320_000)), &[3]);
    check(|q| q.since = Some(time(1_588_320_001)), &[]);
    check(|q| q.until = Some(time(1_588_320_000)), &[1, 2, 4]);
    check(|q| q.until = Some(time(1_001)), &[1, 2, 4]);
    check(|q| q.until = Some(time(1_000)), &[]);
}

#[test]
fn filters_alone_find_all_that_pass_them_the_newest_first() {
    let mut versions: Vec<_> = (1..=3)
        .map(|id| article(id, "en", "Snow", "It fell."))
        .collect();
    versions[1].1.record.date_published = Some("2020-05-01T10:00:00+02:00".to_owned());
    let (_dir, index) = index_of(&versions);
    let mut asked = Query {
        articles: Some(vec![1, 2]),
        ..Query::default()
    };
    assert_eq!(articles(&index, &asked), [2, 1]);
    let found = index.search(&asked).expect("searched");
    assert!(found.has_condition);
    assert_eq!(found.hits[0].snippet.text, "It fell.");
    // Words that do not count are words.
    for words in ["the", "-snow", "-rain"] {
        asked.words = words.to_owned();
        let found = index.search(&asked).expect("searched");
        assert_eq!((found.total, found.has_condition), (0, false), "{words}");
    }
    assert!(
        !index
            .search(&Query::default())
            .expect("searched")
            .has_condition
    );
}

#[test]
fn the_latest_version_is_found() {
    let first = article(1, "en", "Snow", "It fell.");
    let (_dir, mut index) = index_of(std::slice::from_ref(&first));
    let mut second = article(1, "en", "Rain", "It rained.");
    second.0.versions = 2;
    (second.1.id, second.1.number, second.1.changed) = (2, 2, 2);
    assert_eq!(
        follow(&mut index, &[second.clone()]).expect("followed"),
        CaughtUp::Added(1)
    );
    finds(&index, "snow", &[]);
    finds(&index, "rain", &[1]);
    assert_eq!((index.articles(), index.followed().expect("read")), (1, 2));
    // The old version, read again, is not the latest.
    let mut again = first;
    again.0.versions = 2;
    again.1.changed = 3;
    assert_eq!(
        follow(&mut index, &[again]).expect("followed"),
        CaughtUp::Added(0)
    );
    finds(&index, "rain", &[1]);
    assert_eq!(index.followed().expect("read"), 3);
    assert_eq!(
        follow(&mut index, &[second]).expect("followed"),
        CaughtUp::Added(0)
    );
}

#[test]
fn what_is_interrupted_is_done_again() {
    let versions: Vec<_> = (1..=6)
        .map(|id| article(id, "en", "Snow", "It fell."))
        .collect();
    let (dir, mut index) = index_of(&versions[..2]);
    let broken = index.follow(|after, f| {
        assert_eq!(after, 2);
        for (article, version) in &versions[2..4] {
            f(article.clone(), version.clone())?;
        }
        Err(Error::read(
            Path::new("x"),
            std::io::ErrorKind::Other.into(),
        ))
    });
    assert!(broken.is_err());
    // The process ends without a commit.
    drop(index);
    let mut index = SearchIndex::open(&dir.path().join("index")).expect("opened");
    finds(&index, "snow", &[1, 2]);
    assert_eq!(
        follow(&mut index, &versions).expect("followed"),
        CaughtUp::Added(4)
    );
    finds(&index, "snow", &[1, 2, 3, 4, 5, 6]);
    assert!(index.is_sound().expect("read"));
}

/// Applies `harm` to an index of one article; it is made anew, empty, and filled again.
fn heals(harm: fn(&Path)) {
    let versions = [article(1, "en", "Snow", "It fell.")];
    let (dir, index) = index_of(&versions);
    drop(index);
    let path = dir.path().join("index");
    harm(&path);
    let files = fs::read_dir(&path).map_or(0, |files| files.count());
    // Who searches deletes nothing.
    if path.join("meta.json").exists() {
        let error = SearchIndex::open(&path).expect_err("refused").to_string();
        assert!(error.contains("verify --rebuild"), "{error}");
        assert_eq!(fs::read_dir(&path).expect("a folder").count(), files);
    }
    let mut index = SearchIndex::open_or_remake(&path).expect("made anew");
    assert_eq!((index.articles(), index.followed().expect("read")), (0, 0));
    follow(&mut index, &versions).expect("followed");
    finds(&index, "snow", &[1]);
    let index = SearchIndex::open(&path).expect("opened");
    finds(&index, "snow", &[1]);
}

#[test]
fn an_index_that_cannot_be_used_is_made_anew() {
    heals(|dir| fs::remove_dir_all(dir).expect("removed"));
    heals(|dir| fs::remove_file(dir.join("meta.json")).expect("removed"));
    heals(|dir| fs::write(dir.join("meta.json"), "{").expect("written"));
    heals(|dir| {
        let meta = fs::read_to_string(dir.join("meta.json")).expect("read");
        let other = meta.replace("\\\"format\\\":1", "\\\"format\\\":0");
        assert_ne!(meta, other);
        fs::write(dir.join("meta.json"), other).expect("written");
    });
    heals(|dir| {
        let meta = fs::read_to_string(dir.join("meta.json")).expect("read");
        let other = meta.replace("\"text_stored\"", "\"text_hidden\"");
        assert_ne!(meta, other);
        fs::write(dir.join("meta.json"), other).expect("written");
    });
    for end in ["idx", "term", "store", "fast"] {
        let files = |dir: &Path| {
            let entries = fs::read_dir(dir).expect("a folder");
            let paths = entries.map(|entry| entry.expect("an entry").path());
            paths.collect::<Vec<_>>()
        };
        let versions = [article(1, "en", "Snow", "It fell.")];
        for harm in [
            (|path| fs::remove_file(path).expect("removed")) as fn(&Path),
            |path| fs::write(path, b"").expect("written"),
            |path| fs::write(path, [7_u8; 300]).expect("written"),
        ] {
            let (dir, index) = index_of(&versions);
            drop(index);
            let path = dir.path().join("index");
            let of_kind = files(&path)
                .into_iter()
                .filter(|p| p.extension().is_some_and(|e| e == end));
            let of_kind: Vec<_> = of_kind.collect();
            assert!(!of_kind.is_empty(), "{end}");
            of_kind.iter().for_each(|path| harm(path));
            let mut index = SearchIndex::open_or_remake(&path).expect("made anew");
            follow(&mut index, &versions).expect("followed");
            finds(&index, "snow", &[1]);
        }
    }
}

/// A file that cannot be opened now, as with too many open files, is no damage: a folder in
/// its place cannot be mapped into memory.
#[test]
fn an_index_that_cannot_be_opened_now_is_left_alone() {
    let versions = [article(1, "en", "Snow", "It fell.")];
    let (dir, index) = index_of(&versions);
    drop(index);
    let path = dir.path().join("index");
    let is_store = |path: &PathBuf| path.extension().is_some_and(|end| end == "store");
    let mut files = fs::read_dir(&path)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    let store = files.find(is_store).expect("a file of texts");
    let hidden = dir.path().join("hidden");
    fs::rename(&store, &hidden).expect("moved");
    fs::create_dir(&store).expect("a folder");
    for open in [SearchIndex::open, SearchIndex::open_or_remake] {
        let error = open(&path).expect_err("refused").to_string();
        assert!(!error.contains("damaged"), "{error}");
    }
    fs::remove_dir(&store).expect("removed");
    fs::rename(&hidden, &store).expect("moved");
    finds(&SearchIndex::open(&path).expect("opened"), "snow", &[1]);
}

#[test]
fn one_process_writes_and_others_search() {
    let (dir, _writing) = index_of(&[article(1, "en", "Snow", "It fell.")]);
    let path = dir.path().join("index");
    let mut other = SearchIndex::open(&path).expect("opened");
    finds(&other, "snow", &[1]);
    assert_eq!(follow(&mut other, &[]).expect("asked"), CaughtUp::Busy);
    let error = SearchIndex::anew(&path).expect_err("refused").to_string();
    assert!(error.contains("another process"), "{error}");
    finds(&other, "snow", &[1]);
}

fn snippet(words: &str, language: &str, text: &str) -> Snippet {
    let (_dir, index) = index_of(&[article(1, language, "", text)]);
    index.search(&query(words)).expect("searched").hits[0]
        .snippet
        .clone()
}

/// The snippet with brackets around the found words.
fn check_snippet(words: &str, language: &str, text: &str, expected: &str) {
    let snippet = snippet(words, language, text);
    let mut shown = snippet.text.clone();
    for mark in snippet.marks.iter().rev() {
        shown.insert(mark.end, ']');
        shown.insert(mark.start, '[');
    }
    if snippet.cut_before {
        shown.insert_str(0, "… ");
    }
    if snippet.cut_after {
        shown.push_str(" …");
    }
    assert_eq!(shown, expected, "{words}");
}

#[test]
fn snippets_show_the_words_in_their_place() {
    check_snippet(
        "ferry",
        "en",
        "Two ferries\n\n left.",
        "Two [ferries] left.",
    );
    let filler = "word ".repeat(40);
    check_snippet(
        "ferry snow",
        "en",
        &format!("One ferry. {filler} a b c d e The snow hid the ferry at dawn. {filler}"),
        &format!(
            "… b c d e The [snow] hid the [ferry] at dawn. {} …",
            "word ".repeat(19).trim_end()
        ),
    );
    let dots = "。".repeat(3);
    check_snippet(
        "手机用户",
        "zh",
        &format!("他说{dots}手机用户收到"),
        &format!("他说{dots}[手机用户]收到"),
    );
    let long = snippet(
        "大雨",
        "zh",
        &format!("{}大雨{}", "天".repeat(500), "水".repeat(500)),
    );
    assert!(long.cut_before && long.cut_after);
    assert!(long.text.chars().count() < 80, "{}", long.text);
    assert_eq!(&long.text[long.marks[0].clone()], "大雨");
}

#[test]
fn a_snippet_of_a_title_that_fits_is_the_beginning() {
    let (_dir, index) = index_of(&[article(1, "en", "Ferry", &"snow fell ".repeat(100))]);
    let found = index.search(&query("ferry")).expect("searched");
    let snippet = &found.hits[0].snippet;
    assert!(snippet.text.starts_with("snow fell") && snippet.cut_after && !snippet.cut_before);
    assert!(snippet.marks.is_empty());
    assert_eq!(snippet.text.split(' ').count(), 30);
}
