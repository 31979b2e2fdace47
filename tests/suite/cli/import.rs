//! The import of other programs' web archives into an archive.

use super::User;
use chrono::{DateTime, TimeDelta, Utc};
use forest_sources::warc::Record;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

const SITE: &str = "gold/harbour-gazette.example";

/// Address and bytes of the site's pages.
fn pages() -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(SITE);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "html"))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let json = std::fs::read_to_string(path.with_extension("json")).expect("a sidecar");
            let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
            let url = json["url"].as_str().expect("an address").to_owned();
            (url, std::fs::read(path).expect("a page"))
        })
        .collect()
}

fn start() -> DateTime<Utc> {
    "2020-01-02T03:04:05Z".parse().expect("a date")
}

/// A WARC file in a crawler's form: packed bodies, a day between two pages.
fn crawl(pages: &[(String, Vec<u8>)], from: DateTime<Utc>) -> Vec<u8> {
    let mut file = Vec::new();
    for (nth, (url, body)) in pages.iter().enumerate() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(body).expect("memory");
        let body = gzip.finish().expect("memory");
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip\r\n\
             Set-Cookie: secret=1\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let at = from + TimeDelta::days(nth as i64);
        file.extend(Record::response(url, at, head.as_bytes(), &body).member());
    }
    file
}

fn exported(user: &User) -> Vec<serde_json::Value> {
    let args = ["archive", "export", "--archive", "store"];
    user.run(&args).ends(0, &[]).records()
}

#[test]
fn pages_of_a_crawl_are_articles_with_their_dates() {
    let (user, pages) = (User::new(), pages());
    // The later half is given first: files are read in the order of their dates.
    let (early, late) = pages.split_at(pages.len() / 2);
    user.put("early.warc.gz", crawl(early, start()));
    user.put("late.warc.gz", crawl(late, start() + TimeDelta::days(100)));
    let import = ["archive", "import", "--archive", "store"];
    let both = [&import[..], &["late.warc.gz", "early.warc.gz", "--json"]].concat();
    let report = user
        .run(&both)
        .ends(0, &["1 wrapper learned"])
        .records()
        .remove(0);
    assert_eq!(report["pages"], pages.len());
    assert_eq!(report["wrappers"], 1);
    user.run(&["archive", "verify", "--archive", "store"])
        .ends(0, &["all is well"]);
    let articles = exported(&user);
    assert_eq!(report["articles"], articles.len());
    assert!(articles.len() >= 8, "{}", articles.len());
    for article in &articles {
        assert_eq!(article["status"], "ok", "{}", article["url"]);
        let date = article["date_fetched"].as_str().expect("a date");
        assert!(date.starts_with("2020-0"), "{date}");
    }
    // A second import has nothing new, and pages older than the archive's are not read.
    let held = format!("0 records stored, {} already held", pages.len());
    let again = user.run(&both).ends(0, &[&held]).records().remove(0);
    assert_eq!(again["articles"], 0);
    assert_eq!(again["versions"], 0);
    user.put(
        "older.warc.gz",
        crawl(&pages[..1], start() - TimeDelta::days(9)),
    );
    user.run(&[&import[..], &["older.warc.gz"]].concat())
        .ends(0, &["1 record (1 response) stored", "1 older"]);
    assert_eq!(exported(&user), articles);
}

/// A page stays packed as it came, and is read all the same.
#[test]
fn heads_and_bodies_are_kept() {
    let (user, pages) = (User::new(), pages());
    let crawl = crawl(&pages[..2], start());
    user.put("crawl.warc.gz", &crawl);
    user.run(&["archive", "import", "--archive", "store", "crawl.warc.gz"])
        .ends(0, &["2 records (2 response) stored", "2 pages"]);
    let unpacked = |bytes: &[u8]| {
        let mut all = Vec::new();
        let mut packed = flate2::read::MultiGzDecoder::new(bytes);
        packed.read_to_end(&mut all).expect("gzip");
        all
    };
    let file = std::fs::read(user.path("store/warc/pages-000001.warc.gz")).expect("there");
    let (stored, given) = (unpacked(&file), unpacked(&crawl));
    assert!(
        stored.ends_with(&given),
        "it has a warcinfo record before them"
    );
    assert_eq!(exported(&user).len(), 2);
}

#[test]
fn what_is_no_web_archive_is_refused_before_anything_is_written() {
    let user = User::new();
    user.put("crawl.warc.gz", crawl(&pages()[..1], start()));
    user.put("page.html", "<p>A page");
    user.put("files.zip", b"PK\x03\x04 and no more");
    for (other, message) in [
        (
            "page.html",
            "an HTML page, not a WARC, an ARC or a WACZ: give such files",
        ),
        ("files.zip", "no WACZ file"),
        ("none.warc", "none.warc"),
    ] {
        let args = [
            "archive",
            "import",
            "--archive",
            "store",
            "crawl.warc.gz",
            other,
        ];
        user.run(&args).ends(2, &[message]);
        assert!(!user.path("store").exists());
    }
}

/// The whole records of a file that is cut off are imported.
#[test]
fn a_file_that_is_cut_off_is_taken_up_to_there() {
    let user = User::new();
    let file = crawl(&pages()[..3], start());
    user.put("crawl.warc.gz", &file[..file.len() - 100]);
    user.run(&["archive", "import", "--archive", "store", "crawl.warc.gz"])
        .ends(3, &["crawl.warc.gz: record 3 is cut off", "2 pages"]);
}

#[test]
fn the_index_says_where_each_page_is() {
    let (user, pages) = (User::new(), pages());
    user.put("crawl.warc.gz", crawl(&pages, start()));
    user.run(&["archive", "import", "--archive", "store", "crawl.warc.gz"])
        .ends(0, &[]);
    let said = format!("{} pages", pages.len());
    let index = user.run(&["archive", "cdx", "--archive", "store"]);
    let index = index.ends(0, &[&said]).out.clone();
    let lines: Vec<&str> = index.lines().collect();
    assert!(lines.is_sorted());
    for line in &lines {
        let (_, json) = line.split_once(" {").expect("a line of CDXJ");
        let place: serde_json::Value =
            serde_json::from_str(&format!("{{{json}")).expect("its fields");
        let number = |name: &str| -> usize {
            let digits = place[name].as_str().expect("digits");
            digits.parse().expect("a number")
        };
        let name = place["filename"].as_str().expect("a name");
        let file = std::fs::read(user.path(&format!("store/warc/{name}"))).expect("a WARC file");
        let member = &file[number("offset")..number("offset") + number("length")];
        let mut record = Vec::new();
        let mut gzip = flate2::read::GzDecoder::new(member);
        gzip.read_to_end(&mut record).expect("a member");
        let record = String::from_utf8_lossy(&record);
        let url = place["url"].as_str().expect("an address");
        assert!(
            record.contains(&format!("WARC-Target-URI: {url}\r\n")),
            "{record}"
        );
    }
    user.run(&[
        "archive",
        "cdx",
        "--archive",
        "store",
        "--out",
        "index.cdxj",
    ])
    .ends(0, &[]);
    let written = std::fs::read_to_string(user.path("index.cdxj")).expect("a file");
    assert_eq!(written, index);
}

/// Every command that reads web archives reads an exported WACZ.
#[test]
fn a_wacz_is_written_and_read() {
    let (user, pages) = (User::new(), pages());
    user.put("crawl.warc.gz", crawl(&pages, start()));
    user.run(&["archive", "import", "--archive", "store", "crawl.warc.gz"])
        .ends(0, &[]);
    let articles = exported(&user);
    let export = "archive export --archive store --format wacz";
    let export: Vec<&str> = export.split(' ').collect();
    user.run(&[&export[..], &["--out", "all.wacz"]].concat())
        .ends(
            0,
            &[&format!(
                "{} pages, {} articles",
                pages.len(),
                articles.len()
            )],
        );
    crate::judges::wacz_validates(&user.path("all.wacz"));
    // The same archive gives the same bytes.
    user.run(&[&export[..], &["--out", "again.wacz"]].concat())
        .ends(0, &[]);
    let bytes = |name: &str| std::fs::read(user.path(name)).expect("a file");
    assert_eq!(bytes("all.wacz"), bytes("again.wacz"));
    let applied = user.run(&["apply", "all.wacz", "--sites", "store/sites"]);
    let texts = |records: &[serde_json::Value]| {
        let texts = records.iter().filter(|record| record["status"] == "ok");
        let mut texts: Vec<String> = texts.map(|record| record["text"].to_string()).collect();
        texts.sort();
        texts
    };
    let applied = applied.ends(0, &[]).records();
    assert_eq!(applied.len(), pages.len());
    assert_eq!(texts(&applied), texts(&articles));
    user.run(&["learn", "all.wacz", "--sites", "learned"])
        .ends(0, &[]);
    let copy = ["archive", "import", "--archive", "copy", "all.wacz"];
    user.run(&copy).ends(0, &["1 wrapper learned"]);
    let exported = user.run(&["archive", "export", "--archive", "copy"]);
    assert_eq!(texts(&exported.ends(0, &[]).records()), texts(&articles));
    // Pages of a site and a time; an empty export is reported.
    let none = [
        &export[..],
        &["--until", "2019-01-01", "--out", "none.wacz"],
    ]
    .concat();
    user.run(&none).ends(1, &["no pages"]);
    assert!(!user.path("none.wacz").exists());
    let first = [
        &export[..],
        &["--until", "2020-01-05", "--out", "first.wacz"],
    ]
    .concat();
    user.run(&first).ends(0, &["3 pages"]);
}

/// An archive "other" with the first three pages, its index, and an archive "store" with all
/// pages, which came a year later.
fn two_collections() -> (User, usize) {
    let (user, pages) = (User::new(), pages());
    user.put("first.warc.gz", crawl(&pages[..3], start()));
    let later = start() + chrono::TimeDelta::days(365);
    user.put("crawl.warc.gz", crawl(&pages, later));
    for (store, file) in [("other", "first.warc.gz"), ("store", "crawl.warc.gz")] {
        user.run(&["archive", "import", "--archive", store, file])
            .ends(0, &[]);
    }
    let index = [
        "archive",
        "cdx",
        "--archive",
        "other",
        "--out",
        "other.cdxj",
    ];
    user.run(&index).ends(0, &["3 pages"]);
    (user, pages.len())
}

/// A record at another address is no better than one at its own.
#[test]
fn a_revisit_is_of_the_record_at_its_own_address() {
    let (user, _) = two_collections();
    let index = std::fs::read_to_string(user.path("other.cdxj")).expect("there");
    let elsewhere = index.replace("harbour-gazette.example", "copies.example");
    user.put("index.cdxj", elsewhere + &index);
    let export = "archive export --archive store --format wacz --out new.wacz --dedup-against";
    let export: Vec<&str> = export.split(' ').collect();
    user.run(&[&export[..], &["index.cdxj"]].concat())
        .ends(0, &["3 payloads are in the other collection"]);
    let out = user.path("new.warc.gz");
    records_of(&user.path("new.wacz"), &out);
    let file = std::io::BufReader::new(std::fs::File::open(out).expect("there"));
    let mut records = forest_sources::warc::Members::new(file, 0);
    let mut revisits = 0;
    while let Some(record) = records.read().expect("whole") {
        if let Some(of) = record.refers_to_url {
            assert_eq!(of, record.url);
            revisits += 1;
        }
    }
    assert_eq!(revisits, 3);
}

/// The types of the records of a WACZ, and the file of records, unpacked from it.
fn records_of(wacz: &Path, out: &Path) -> Vec<String> {
    let file = || std::fs::File::open(wacz).expect("there");
    let archives = forest_sources::warc::archives(file()).expect("a WACZ");
    let mut bytes = Vec::new();
    let mut records = archives[0].open(file()).expect("there");
    records.read_to_end(&mut bytes).expect("whole");
    std::fs::write(out, &bytes).expect("written");
    let records = forest_sources::warc::RecordReader::new(bytes.as_slice()).expect("a WARC");
    records
        .map(|record| record.expect("whole").type_name)
        .collect()
}

#[test]
fn payloads_of_another_collection_are_revisits_of_these() {
    let (user, pages) = two_collections();
    let export = "archive export --archive store --format wacz --out new.wacz --dedup-against";
    let export: Vec<&str> = export.split(' ').collect();
    user.run(&[&export[..], &["other.cdxj"]].concat())
        .ends(0, &["3 payloads are in the other collection"]);
    crate::judges::wacz_validates(&user.path("new.wacz"));
    std::fs::create_dir_all(user.path("joined/warc")).expect("made");
    let out = user.path("joined/warc/new.warc.gz");
    let types = records_of(&user.path("new.wacz"), &out);
    let count = |name: &str| types.iter().filter(|kind| *kind == name).count();
    assert_eq!((count("revisit"), count("response")), (3, pages - 3));
    // Beside the other collection a player gives all of them.
    let first = user.path("other/warc/pages-000001.warc.gz");
    std::fs::copy(first, user.path("joined/warc/other.warc.gz")).expect("copied");
    crate::judges::warcio_check(&user.path("joined"));
    crate::judges::pywb_replays(&user.path("joined"));
}

/// An index with the digests of its payloads in SHA-256: of the bodies in the archive "other".
fn in_sha256(user: &User, index: &str) -> String {
    let file = std::fs::File::open(user.path("other/warc/pages-000001.warc.gz")).expect("there");
    let file = std::io::BufReader::new(file);
    let mut changed = index.to_owned();
    let mut records = forest_sources::warc::Members::new(file, 0);
    while let Some(record) = records.read().expect("whole") {
        let Some((_, _, body)) = record.answer() else {
            continue;
        };
        let (sha1, sha256) = (
            forest_sources::warc::sha1_digest(body),
            forest_sources::warc::sha256_digest(body),
        );
        changed = changed.replace(&sha1, &sha256);
    }
    assert!(!changed.contains("sha1:"));
    changed
}

/// pywb's digests have no algorithm, an index may be packed; a revisit holds no payload.
#[test]
fn indexes_of_others_are_read() {
    let (user, _) = two_collections();
    let index = std::fs::read_to_string(user.path("other.cdxj")).expect("there");
    let check = |index: &[u8], ends: i32, said: &str| {
        user.put("index.cdxj", index);
        let export = "archive export --archive store --format wacz --out new.wacz \
            --dedup-against index.cdxj";
        let export: Vec<&str> = export.split_whitespace().collect();
        user.run(&export).ends(ends, &[said]);
    };
    let three = "3 payloads are in the other collection";
    check(index.replace("sha1:", "").as_bytes(), 0, three);
    check(format!("!meta 0 {{}}\n\n{index}").as_bytes(), 0, three);
    check(index.to_lowercase().as_bytes(), 0, three);
    let by_other_digest = in_sha256(&user, &index);
    check(by_other_digest.as_bytes(), 0, three);
    check(
        index.replace("sha1:", "md5:").as_bytes(),
        2,
        "by SHA-1 or SHA-256",
    );
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(index.as_bytes()).expect("memory");
    check(&gzip.finish().expect("memory"), 0, three);
    let first = index.lines().next().expect("a line");
    let revisits = index.replace("text/html", "warc/revisit");
    let one = "1 payload is in the other collection";
    check(format!("{revisits}{first}\n").as_bytes(), 0, one);
    check(b"", 2, "index.cdxj: it names no payload in CDXJ");
    check(&vec![b' '; 3 << 20], 2, "it names no payload in CDXJ");
    let text = [
        "archive",
        "export",
        "--archive",
        "store",
        "--dedup-against",
        "index.cdxj",
    ];
    user.run(&text).ends(2, &["--format wacz"]);
}

/// An ARC with these pages, not packed.
fn arc(pages: &[(String, Vec<u8>)]) -> Vec<u8> {
    let text = "1 0 A\nURL IP-address Archive-date Content-type Archive-length\n";
    let mut file = format!(
        "filedesc://a.arc 0.0.0.0 20200102030405 text/plain {}\n{text}\n\
         dns:a.example 192.0.2.7 20200102030405 text/dns 2\nx\n\n",
        text.len()
    )
    .into_bytes();
    for (url, body) in pages {
        let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
        let length = head.len() + body.len();
        let line = format!("{url} 192.0.2.7 20200102030405 text/html {length}\n");
        file.extend([line.as_bytes(), head, body, b"\n"].concat());
    }
    file
}

#[test]
fn an_arc_is_read_wherever_a_warc_is() {
    let user = User::new();
    let pages = &pages()[..3];
    let file = arc(pages);
    user.put("crawl.arc", &file);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&file).expect("memory");
    user.put("crawl.arc.gz", gzip.finish().expect("memory"));
    let addresses: Vec<&str> = pages.iter().map(|(url, _)| &**url).collect();
    for name in ["crawl.arc", "crawl.arc.gz"] {
        let records = user.run(&["apply", name]).ends(0, &[]).records();
        let found: Vec<_> = records
            .iter()
            .filter_map(|r| r["fetched_url"].as_str())
            .collect();
        assert_eq!(found, addresses, "{name}");
    }
    let args = [
        "archive",
        "import",
        "crawl.arc",
        "--archive",
        "store",
        "--no-learn",
    ];
    user.run(&args).ends(0, &["3 pages"]);
}

#[test]
fn a_member_that_is_damaged_is_an_error_and_the_others_are_read() {
    let user = User::new();
    let pages = pages();
    let members: Vec<Vec<u8>> = (0..3).map(|n| crawl(&pages[n..n + 1], start())).collect();
    let mut file = members.concat();
    file[members[0].len() + members[1].len() / 2] ^= 0xFF;
    user.put("crawl.warc.gz", file);
    let place = format!("record 2 at byte {} is damaged", members[0].len());
    let ran = user.run(&["apply", "crawl.warc.gz"]);
    let records = ran.ends(3, &[&place]).records();
    let found: Vec<_> = records
        .iter()
        .filter_map(|r| r["fetched_url"].as_str())
        .collect();
    assert_eq!(found, [&*pages[0].0, &*pages[2].0]);
    let args = [
        "archive",
        "import",
        "crawl.warc.gz",
        "--archive",
        "store",
        "--no-learn",
    ];
    user.run(&args).ends(3, &["2 pages", &place]);
}
