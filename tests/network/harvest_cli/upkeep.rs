//! `forest archive verify|forget|backup|reextract`.

use super::site::{Site, User};
use std::fs;
use std::io::Read;

/// A user with three harvested articles.
fn user() -> (Site, User) {
    let (site, user) = (Site::new(3), User::new());
    user.add(&site).ends(0, &[]);
    user.round(3, &[])
        .ends(0, &["3 new articles", "wrapper learned"]);
    (site, user)
}

fn exported(user: &User, store: &str) -> Vec<String> {
    let export = user.run(&["archive", "export", "--archive", store]);
    let url = |record: &serde_json::Value| record["url"].as_str().expect("one").to_owned();
    export.ends(0, &[]).records().iter().map(url).collect()
}

pub fn verify(user: &User, store: &str) {
    user.run(&["archive", "verify", "--archive", store])
        .ends(0, &["all is well"]);
}

/// All bytes of the WARC files, unpacked.
pub fn unpacked(user: &User) -> String {
    let mut all = String::new();
    let entries = fs::read_dir(user.path("store/warc")).expect("a folder");
    for entry in entries {
        let file = fs::File::open(entry.expect("an entry").path()).expect("it opens");
        let mut bytes = Vec::new();
        flate2::read::MultiGzDecoder::new(file)
            .read_to_end(&mut bytes)
            .expect("whole");
        all.push_str(&String::from_utf8_lossy(&bytes));
    }
    all
}

#[test]
fn an_article_is_forgotten() {
    let (site, user) = user();
    assert!(unpacked(&user).contains("number2"));
    let url = format!("http://{}/story/2", site.host);
    let forget = ["archive", "forget", "--archive", "store", &url];
    let forgot = user.run(&[&forget[..], &["--json"]].concat());
    forgot.ends(0, &["1 article with 1 address forgotten"]);
    let report = &forgot.records()[0];
    let counts = ["articles", "addresses", "files"].map(|name| report[name].as_u64());
    assert_eq!(counts, [Some(1), Some(1), Some(3)], "{report}");
    assert!(report["records"].as_u64() > Some(0), "{report}");
    assert_eq!(report["edited"], serde_json::json!([]));
    let all = unpacked(&user);
    for trace in ["number2 ", "story2 ", "story/2"] {
        assert!(!all.contains(trace), "{trace}");
        for entry in fs::read_dir(user.path("store/sites")).expect("a folder") {
            let path = entry.expect("an entry").path();
            let yaml = fs::read_to_string(path).expect("a wrapper");
            assert!(!yaml.contains(trace), "{trace}: {yaml}");
        }
    }
    assert!(all.contains("number1 ") && all.contains("number3 "));
    verify(&user, "store");
    assert_eq!(exported(&user, "store").len(), 2);
    user.run(&["search", "--archive", "store", "number2"])
        .ends(1, &["nothing found"]);
    // The feed still lists it, but it is not visited.
    site.take_requests();
    user.run(&user.round_args("2100-01-04T00:00:00Z"))
        .ends(0, &["1 feed polled, "]);
    assert!(!site.take_requests().iter().any(|path| path == "story/2"));
    verify(&user, "store");
    // The same address once more, and an unknown one.
    user.run(&forget).ends(0, &["0 articles", "0 records"]);
    user.run(&["archive", "forget", "--archive", "none", &url])
        .ends(2, &["no archive"]);
}

#[test]
fn a_backup_is_an_archive() {
    let (_site, user) = user();
    let backup = ["archive", "backup", "--archive", "store", "copy"];
    user.run(&backup)
        .ends(0, &["3 WARC files, 3 of them copied", "1 wrapper"]);
    verify(&user, "copy");
    assert_eq!(exported(&user, "copy"), exported(&user, "store"));
    user.run(&backup)
        .ends(0, &["3 WARC files, 0 of them copied"]);
    verify(&user, "copy");
    user.run(&["archive", "backup", "--archive", "store", "store"])
        .ends(2, &["the archive itself"]);
    fs::create_dir(user.path("other")).expect("made");
    fs::write(user.path("other/thesis.txt"), "years").expect("written");
    user.run(&["archive", "backup", "--archive", "store", "other"])
        .ends(2, &["is no archive"]);
}

/// After a wrong name or a replaced disk, the copy may be the only one left.
#[test]
fn a_backup_destroys_no_other_archive_and_no_newer_one() {
    let (site, user) = user();
    let backup = |from: &str, to: &str| user.run(&["archive", "backup", "--archive", from, to]);
    backup("store", "copy").ends(0, &[]);
    // An archive with other pages, and an empty one.
    let other = Site::new(2);
    let add = |site: &Site, store: &str| {
        user.run(&[
            "harvest",
            "add",
            "--allow-private",
            "--archive",
            store,
            &site.feed(),
        ])
        .ends(0, &[]);
    };
    add(&other, "other");
    backup("other", "copy").ends(2, &["copy", "another archive"]);
    fs::remove_dir_all(user.path("other/warc")).expect("removed");
    backup("other", "copy").ends(2, &["copy", "another archive"]);
    assert_eq!(exported(&user, "copy").len(), 3);
    // The copy is written over the original.
    user.run(&["harvest", "pause", "--archive", "store", &site.feed()])
        .ends(0, &[]);
    backup("copy", "store").ends(2, &["store", "holds more"]);
    backup("store", "copy").ends(0, &[]);
    // Forgotten data is removed from the copy as well.
    let url = format!("http://{}/story/2", site.host);
    user.run(&["archive", "forget", "--archive", "store", &url])
        .ends(0, &[]);
    backup("store", "copy").ends(0, &["3 of them copied"]);
    assert_eq!(exported(&user, "copy").len(), 2);
    verify(&user, "copy");
    backup("copy", "store").ends(0, &[]);
}

#[test]
fn damage_is_found_and_tables_are_made_again() {
    let (_site, user) = user();
    verify(&user, "store");
    let before = exported(&user, "store");
    for name in ["archive.sqlite", "archive.sqlite-wal", "archive.sqlite-shm"] {
        let path = user.path("store").join(name);
        if path.exists() {
            fs::write(
                &path,
                "not a database, but long enough to be read as one".repeat(100),
            )
            .expect("written");
        }
    }
    let args = ["archive", "verify", "--archive", "store"];
    user.run(&args).ends(2, &["database"]);
    user.run(&[&args[..], &["--rebuild"]].concat())
        .ends(0, &["all is well"]);
    assert_eq!(exported(&user, "store"), before);
    for name in ["archive.sqlite", "archive.sqlite-wal", "archive.sqlite-shm"] {
        let _ = fs::remove_file(user.path("store").join(name));
    }
    user.run(&["archive", "export", "--archive", "store"])
        .ends(2, &["database", "is gone", "forest archive verify"]);
    verify(&user, "store");
    assert_eq!(exported(&user, "store"), before);
    let warc = user.path("store/warc/pages-000001.warc.gz");
    let mut bytes = fs::read(&warc).expect("read");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    fs::write(&warc, &bytes).expect("written");
    user.run(&args).ends(1, &["damaged at byte", "1 damage"]);
    user.run(&["archive", "verify", "--archive", "none"])
        .ends(2, &["no archive"]);
}

#[test]
fn an_edited_wrapper_reads_the_archive_again() {
    let (_site, user) = user();
    let sites = fs::read_dir(user.path("store/sites")).expect("a folder");
    let path = sites.map(|entry| entry.expect("an entry").path()).next();
    let path = path.expect("a wrapper");
    let yaml = fs::read_to_string(&path).expect("read");
    // The last paragraph is not part of the text any more.
    assert!(!yaml.contains("\n  strip:"), "{yaml}");
    let strip = "templates:\n- strip:\n  - //div[@class='story']/p[last()]\n  body:";
    let yaml = yaml.replace("templates:\n- body:", strip);
    assert!(yaml.contains(strip), "{yaml}");
    fs::write(&path, yaml).expect("written");
    let args = ["archive", "reextract", "--archive", "store"];
    user.run(&[&args[..], &["--dry-run"]].concat()).ends(
        0,
        &["3 versions of another wrapper: 3 would be read again, 3 of them with another text"],
    );
    let again = user.run(&[&args[..], &["--json"]].concat());
    let records = again.ends(0, &[]).records();
    assert_eq!(records.len(), 4);
    assert!(records[0]["words_now"].as_u64() < records[0]["words_before"].as_u64());
    assert_eq!(
        (&records[3]["changed"], &records[3]["wrappers"]),
        (&3.into(), &1.into())
    );
    user.run(&args).ends(0, &["0 versions of another wrapper"]);
    verify(&user, "store");
    let export = user.run(&["archive", "export", "--archive", "store"]);
    assert!(!export.out.contains("part5"), "{}", export.out);
    // There is still one version.
    assert!(export.out.contains("part4"));
}

#[cfg(unix)]
#[test]
fn who_may_read_an_archive_is_the_umasks_to_say() {
    use std::os::unix::fs::PermissionsExt;
    let site = Site::new(3);
    let check = |mask: &str, file: u32, folder: u32| {
        let user = User::new();
        let script = format!("umask {mask}; exec \"$0\" \"$@\"");
        let shell = || user.command(Some(("sh", &["-c", &script])));
        let add = [
            "harvest",
            "add",
            "--archive",
            "store",
            "--allow-private",
            "--delay",
            "0",
        ];
        let feed = site.feed();
        let run = user.round_args("2100-01-02T03:00:00Z");
        for args in [[&add[..], &[&*feed]].concat(), run] {
            assert!(shell().args(args).status().expect("it runs").success());
        }
        let inside = user
            .tree()
            .into_iter()
            .filter(|path| path.starts_with("store"));
        let inside: Vec<String> = inside.collect();
        assert!(
            inside.iter().any(|path| path.ends_with(".warc.gz")),
            "{inside:?}"
        );
        for path in &inside {
            let about = fs::metadata(user.path(path)).expect("it is there");
            assert_eq!(about.permissions().mode() & 0o777, file, "{path}");
        }
        let about = fs::metadata(user.path("store/warc")).expect("it is there");
        assert_eq!(about.permissions().mode() & 0o777, folder);
    };
    check("027", 0o640, 0o750);
    check("077", 0o600, 0o700);
}
