//! Every record of an imported archive is stored: once, as it is, and never half.

use super::User;
use forest_sources::warc::{ReadRecord, Record, RecordReader};
use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::Path;

const IMPORT: [&str; 5] = ["archive", "import", "--archive", "store", "--no-learn"];

/// The number of the records of imports by type and address.
fn stored(user: &User, archive: &str) -> BTreeMap<(String, String), usize> {
    let mut found = BTreeMap::new();
    for kind in ["pages-000001.warc.gz", "texts-000001.warc.wet.gz"] {
        let path = user.path(&format!("{archive}/warc/{kind}"));
        let file = BufReader::new(std::fs::File::open(path).expect("there"));
        for record in RecordReader::new(file).expect("a WARC").skip(1) {
            let record = record.expect("whole");
            if record.type_name != "conversion" {
                *found.entry((record.type_name, record.url)).or_default() += 1;
            }
        }
    }
    found
}

/// `count` exchanges: a page, a picture, a redirect and a 404 in turn, each with its request;
/// after eight of them only pictures, which are not read.
fn exchanges(count: usize) -> Vec<u8> {
    let at = "2020-01-02T03:04:05Z".parse().expect("a date");
    let mut file = Record::warcinfo("crawl", at, &[("software", "other")]).member();
    for n in 0..count {
        let url = format!("http://a.example/{n}");
        let (status, kind) = [
            ("200 OK", "text/html"),
            ("200 OK", "image/png"),
            ("301 Moved", "text/html"),
            ("404 Not Found", "text/html"),
        ][if n < 8 { n % 4 } else { 1 }];
        let head = format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nLocation: /\r\n\r\n");
        let body = format!("<title>Page {n}</title><p>{}", "A harbour. ".repeat(50));
        let answer = Record::response(&url, at, head.as_bytes(), body.as_bytes());
        let request = format!("GET /{n} HTTP/1.1\r\n\r\n");
        file.extend(Record::request(&url, at, request.as_bytes(), &answer).member());
        file.extend(answer.member());
    }
    file
}

#[test]
fn the_summary_accounts_for_every_kind_and_a_second_import_stores_nothing() {
    let user = User::new();
    user.put("crawl.warc.gz", exchanges(8));
    let import = [&IMPORT[..], &["crawl.warc.gz", "--json"]].concat();
    let said = "17 records (8 request, 8 response, 1 warcinfo) stored, 0 already held";
    let report = user.run(&import).ends(0, &[said]).records().remove(0);
    assert_eq!(report["records"]["request"]["stored"], 8);
    assert_eq!(report["pages"], 2);
    let before = stored(&user, "store");
    assert_eq!(before.values().sum::<usize>(), 17);
    let again = user.run(&import);
    let again = again.ends(0, &["0 records stored, 17 already held"]);
    let report = again.records().remove(0);
    assert_eq!(report["records"]["response"]["held"], 8);
    assert_eq!(stored(&user, "store"), before);
    user.run(&["archive", "verify", "--archive", "store"])
        .ends(0, &["all is well"]);
}

#[test]
fn a_round_trip_by_wacz_loses_nothing() {
    let user = User::new();
    user.put("crawl.warc.gz", exchanges(8));
    user.run(&[&IMPORT[..], &["crawl.warc.gz"]].concat())
        .ends(0, &[]);
    let export = ["archive", "export", "--archive", "store"];
    let whole = ["--format", "wacz", "--out", "all.wacz"];
    user.run(&[&export[..], &whole].concat()).ends(0, &[]);
    let copy = [
        "archive",
        "import",
        "--archive",
        "copy",
        "--no-learn",
        "all.wacz",
    ];
    user.run(&copy).ends(0, &["18 records"]);
    let mut copied = stored(&user, "copy");
    // The archive's own warcinfo comes with it.
    let infos = copied.get_mut(&("warcinfo".to_owned(), String::new()));
    *infos.expect("two") -= 1;
    assert_eq!(copied, stored(&user, "store"));
    // What an archive gave out, it has.
    user.run(&[&IMPORT[..], &["all.wacz"]].concat())
        .ends(0, &["17 already held"]);
}

/// The records of an ARC are those of a WARC: the head of the file is a `warcinfo`, and what
/// did not come by HTTP is a resource.
#[test]
fn an_arc_becomes_a_warc() {
    let user = User::new();
    let head = "1 0 A\nURL IP-address Archive-date Content-type Archive-length\n";
    let answer = "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>Gone";
    let mut file = format!(
        "filedesc://a.arc 0.0.0.0 20200102030405 text/plain {}\n{head}\n",
        head.len()
    );
    for (url, kind, body) in [
        ("dns:a.example", "text/dns", "a.example. IN A 192.0.2.7"),
        ("http://a.example/gone", "text/html", answer),
        ("ftp://a.example/list", "text/plain", "a list"),
    ] {
        let length = body.len();
        file.push_str(&format!(
            "{url} 192.0.2.7 20200102030405 {kind} {length}\n{body}\n"
        ));
    }
    user.put("crawl.arc", file);
    let import = [&IMPORT[..], &["crawl.arc"]].concat();
    let said = "4 records (1 resource, 2 response, 1 warcinfo) stored, 0 already held";
    user.run(&import).ends(0, &[said]);
    let record = |url: &str| -> ReadRecord {
        let path = user.path("store/warc/pages-000001.warc.gz");
        let file = BufReader::new(std::fs::File::open(path).expect("there"));
        let mut members = forest_sources::warc::Members::new(file, 0);
        loop {
            let record = members.read().expect("whole").expect("it is there");
            if record.url == url {
                return record;
            }
        }
    };
    let gone = record("http://a.example/gone");
    assert_eq!(
        (gone.date.as_str(), gone.block.as_slice()),
        ("2020-01-02T03:04:05Z", answer.as_bytes())
    );
    assert_eq!(record("ftp://a.example/list").block, b"a list");
    assert_eq!(
        record("dns:a.example").content_type.as_deref(),
        Some("text/dns")
    );
    user.run(&import)
        .ends(0, &["0 records stored, 4 already held"]);
    crate::judges::warcio_check(&user.path("store"));
}

/// Earlier versions of the program made HTTP answers of pages that came by FTP.
#[test]
fn a_response_that_is_no_http_is_a_resource() {
    let user = User::new();
    let at = "2020-01-02T03:04:05Z".parse().expect("a date");
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let urls = [
        "ftp://a.example/1",
        "FTP://a.example/2",
        "gemini://a.example/3",
    ];
    let members = urls.map(|url| Record::response(url, at, head, b"<p>A list").member());
    user.put("old.warc.gz", members.concat());
    user.run(&[&IMPORT[..], &["old.warc.gz"]].concat())
        .ends(0, &["3 records (3 resource) stored"]);
    let found = stored(&user, "store");
    assert!(
        found.keys().all(|(kind, _)| kind == "resource"),
        "{found:?}"
    );
    crate::judges::warcio_check(&user.path("store"));
}

fn is_sound(user: &User) {
    user.run(&["archive", "verify", "--archive", "store"])
        .ends(0, &["all is well"]);
}

/// A limit on the size of files acts like a full disk: a write fails in the middle.
#[cfg(unix)]
#[test]
fn a_full_disk_ends_the_import_and_loses_nothing() {
    let user = User::new();
    user.put("crawl.warc.gz", exchanges(4000));
    let import = [&IMPORT[..], &["crawl.warc.gz"]].concat();
    let (mut blocks, mut failures) = (64, 0);
    loop {
        let limit = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &limit, env!("CARGO_BIN_EXE_forest")]);
        shell
            .args(&import)
            .current_dir(user.path(""))
            .env("FOREST_CONFIG", "");
        let output = shell.output().expect("it runs");
        if output.status.success() {
            break;
        }
        failures += 1;
        let erred = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{erred}");
        assert!(
            erred.contains("forest: ") && !erred.contains("panicked"),
            "{erred}"
        );
        is_sound(&user);
        blocks *= 2;
    }
    assert!(failures >= 3, "{failures}");
    let found = stored(&user, "store");
    assert_eq!(found.values().sum::<usize>(), 8001);
    assert!(found.values().all(|count| *count == 1), "stored twice");
}

/// Killed when its file has grown past each of some sizes, an import goes on the next time.
#[cfg(unix)]
#[test]
fn a_killed_import_goes_on_where_it_was() {
    let user = User::new();
    user.put("crawl.warc.gz", exchanges(4000));
    let import = [&IMPORT[..], &["crawl.warc.gz"]].concat();
    let file = user.path("store/warc/pages-000001.warc.gz");
    let length = |file: &Path| std::fs::metadata(file).map_or(0, |about| about.len());
    let mut kills = 0;
    for most in [1, 40_000, 160_000, 400_000] {
        let mut running = user.command().args(&import).spawn().expect("it runs");
        while length(&file) < most && running.try_wait().expect("a state").is_none() {
            std::thread::yield_now();
        }
        running.kill().expect("killed");
        kills += usize::from(!running.wait().expect("a state").success());
        is_sound(&user);
    }
    assert!(kills >= 3, "{kills}");
    user.run(&import).ends(0, &[]);
    is_sound(&user);
    let found = stored(&user, "store");
    assert_eq!(found.values().sum::<usize>(), 8001);
    assert!(found.values().all(|count| *count == 1), "stored twice");
}

/// The facts about a file that only its owner knows are in the config file.
#[test]
fn new_files_say_whose_they_are() {
    let user = User::new();
    user.put("crawl.warc.gz", exchanges(1));
    user.put(
        "config.yaml",
        "warcinfo: {operator: \"J. Doe\\r\\nx: y\", isPartOf: news}\n",
    );
    let import = |archive: &str, config: &[&str]| {
        let import = ["archive", "import", "--archive", archive, "crawl.warc.gz"];
        user.run(&[&import[..], config].concat()).ends(0, &[]);
        let path = user.path(&format!("{archive}/warc/pages-000001.warc.gz"));
        let file = BufReader::new(std::fs::File::open(path).expect("there"));
        let mut members = forest_sources::warc::Members::new(file, 0);
        let first = members.read().expect("whole").expect("a record");
        String::from_utf8(first.block).expect("a text")
    };
    let own = import("own", &["--config", "config.yaml"]);
    for line in [
        "operator: J. Doe  x: y",
        "isPartOf: news",
        "robots: classic",
    ] {
        assert!(own.lines().any(|own| own == line), "{line}: {own}");
    }
    let other = import("other", &[]);
    assert!(other.contains("robots: classic") && !other.contains("operator"));
    user.put("wrong.yaml", "warcinfo: {oprator: J. Doe}\n");
    let wrong = [
        "archive",
        "import",
        "--config",
        "wrong.yaml",
        "crawl.warc.gz",
    ];
    user.run(&wrong).ends(2, &["oprator", "operator"]);
}
