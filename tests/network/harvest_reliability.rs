//! What must hold when things go wrong, each a test with its name in
//! `docs/reliability.md`: processes that are killed, disks that are full, folders that
//! cannot be written to, two processes, and names that would lead elsewhere. The default
//! suite has a small version of each; memory over ten thousand pages is in
//! `tests/memory.rs`.

use crate::harvest_cli::site::{Ran, Site, User};
use crate::harvest_cli::watched::{AT, Run, add_at, memory};
use crate::judges::{pywb_replays, warcio_check};
use crate::nobody::as_nobody;
use forest_archive::Archive;
use std::collections::HashMap;
use std::fs;

/// Pseudo-random numbers, the same each time (splitmix64).
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % n as u64).expect("it is below n")
    }
}

/// Checks that the archive opens, its parts agree, and each article is there once; returns the
/// addresses.
fn sound(user: &User) -> HashMap<String, u32> {
    let archive =
        Archive::open(&user.store(), forest_harvest::archive_options()).expect("it opens");
    let found = archive.verify().expect("readable");
    assert_eq!(found.damage, []);
    let mut there = HashMap::new();
    let each = archive.reader().expect("a reader").each_latest(
        &forest_archive::Filter::default(),
        &mut |article, _| {
            assert_eq!(article.versions, 1, "{}", article.url);
            assert_eq!(
                there.insert(article.key.clone(), 1),
                None,
                "{}",
                article.key
            );
            Ok(())
        },
    );
    each.expect("readable");
    there
}

/// A site with so many articles, and further items that lead to redirects and failures.
fn with_failures(pages: usize) -> Site {
    let site = Site::new(pages);
    site.set(|show| {
        let item = |n| format!("<item><link>http://HOST/go/gone/{n}</link></item>");
        show.more = (0..pages.div_ceil(4)).map(item).collect();
    });
    site
}

fn kill_minus_nine(pages: usize, kills: usize, no_learn: &[&str]) {
    let site = with_failures(pages);
    let (calm, user) = (User::new(), User::new());
    for one in [&calm, &user] {
        one.run(&["harvest", "run", "--once", "--archive", "store"])
            .ends(0, &[]);
        add_at(one, &site);
    }
    let round = calm.run(&[&calm.round_args(AT)[..], no_learn].concat());
    round.ends(0, &[&format!("{pages} new articles")]);
    let expected = sound(&calm);
    assert_eq!(expected.len(), pages);
    let mut draw = Draw(20_261_122);
    let (mut killed, mut rounds, mut reported) = (0, 0, Vec::new());
    let mut last = 0;
    while killed < kills {
        rounds += 1;
        // The remaining pages are divided among the remaining kills: some are early in a run,
        // some late.
        let left = pages.saturating_sub(last);
        let most = (2 * left / (kills - killed)).max(4);
        let more = [&["-v"], no_learn].concat();
        let (stored, was_killed) = Run::begin(&user, &site, &more).kill_at(1 + draw.below(most));
        reported.extend(stored);
        let there = sound(&user);
        for url in &reported {
            let key = forest_html::address::page_key(url);
            assert!(there.contains_key(&key), "{url} was stored and is lost");
        }
        last = there.len();
        match was_killed {
            true => killed += 1,
            // All pages are stored: the next archive begins from the start.
            false if killed < kills => {
                assert_eq!(last, pages);
                assert_eq!(exported(&user), exported(&calm));
                fs::remove_dir_all(user.store()).expect("removed");
                add_at(&user, &site);
                (reported, last) = (Vec::new(), 0);
            }
            false => {}
        }
    }
    let (_, was_killed) = Run::begin(&user, &site, no_learn).kill_at(usize::MAX);
    assert!(!was_killed);
    sound(&user);
    assert_eq!(exported(&user), exported(&calm));
    println!("kill_minus_nine: {killed} kills in {rounds} runs, {pages} pages");
}

fn exported(user: &User) -> String {
    let export = user.run(&["archive", "export", "--archive", "store"]);
    export.ends(0, &[]);
    export.out
}

#[test]
fn killed_at_any_moment_nothing_is_lost() {
    kill_minus_nine(60, 8, &[]);
}

#[cfg(feature = "heavy")]
#[test]
fn killed_two_hundred_times_nothing_is_lost() {
    kill_minus_nine(1000, 200, &[]);
}

/// A limit on the size of files acts like a full disk: a write fails in the middle.
#[test]
fn a_full_disk_ends_the_harvest_and_loses_nothing() {
    let (site, user) = (with_failures(40), User::new());
    add_at(&user, &site);
    let shell = |blocks: usize| {
        // The signal of that limit is ignored, so that the write fails.
        let limit = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let output = user
            .command(Some(("sh", &["-c", &limit])))
            .args(user.round_args(AT))
            .args(["-v", "--no-learn"])
            .output();
        Ran::of(output.expect("it runs"))
    };
    let (mut reported, mut failures) = (Vec::new(), 0);
    // In blocks of 512 bytes, as in POSIX, or of 1 kB: from a few blocks on.
    let mut blocks = 8;
    loop {
        let run = shell(blocks);
        reported.extend(
            run.err
                .lines()
                .filter_map(|line| line.strip_suffix(": stored"))
                .map(str::to_owned),
        );
        if run.code == Some(0) {
            break;
        }
        failures += 1;
        run.ends(2, &["forest: "]);
        assert!(!run.err.contains("panicked"), "{}", run.err);
        let there = sound(&user);
        for url in &reported {
            assert!(
                there.contains_key(&forest_html::address::page_key(url)),
                "{url} is lost: {}",
                run.err
            );
        }
        blocks = blocks * 3 / 2;
    }
    assert!(failures >= 3, "{failures}");
    assert_eq!(sound(&user).len(), 40);
    println!("disk_full: {failures} harvests met the limit, the last at {blocks} blocks");
}

#[test]
fn a_folder_that_cannot_be_written_to_is_named() {
    let (site, user) = (Site::new(1), User::new());
    fs::write(user.path("file"), "x").expect("written");
    let add = |store: &str| {
        let mut command = user.command(None);
        command.args(["harvest", "add", "--archive", store, "--allow-private"]);
        command.arg(site.feed());
        let output = as_nobody(command, &user.path(".")).output();
        Ran::of(output.expect("it runs"))
    };
    // A file in a folder's place.
    add("file/store").ends(2, &["file/store"]);
    add("file").ends(2, &["file"]);
    let locked = user.path("locked");
    fs::create_dir(&locked).expect("made");
    let mut rights = fs::metadata(&locked).expect("there").permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut rights, 0o555);
    fs::set_permissions(&locked, rights).expect("set");
    add("locked/store").ends(2, &["cannot write", "locked/store"]);
}

#[test]
fn the_second_process_reports_the_lock_and_ends() {
    let (site, user) = (Site::new(1), User::new());
    add_at(&user, &site);
    let _first = Archive::open(&user.store(), forest_harvest::archive_options()).expect("it opens");
    user.round(3, &[])
        .ends(2, &["another forest writes to the archive", "store"]);
    assert_eq!(site.take_requests(), [""; 0]);
}

#[test]
fn names_lead_nowhere_and_forge_nothing() {
    let (site, user) = (Site::new(3), User::new());
    let long = "x".repeat(5000);
    let links = [
        "http://HOST/story/../../../../etc/passwd",
        "http://HOST/story/..%2f..%2f..%2fetc%2fpasswd",
        "http://HOST/story/%00",
        "http://HOST/story/CON",
        "http://HOST/story/%E2%80%AEgpj.exe",
        "http://HOST/story/4\u{202e}",
        &format!("http://HOST/{long}"),
        "file:///etc/passwd",
        "http://HOST/\nforest: harvested 1000000 pages",
    ];
    let mut more = String::new();
    for (n, link) in links.iter().enumerate() {
        more.push_str(&format!(
            "<item><title>../../x&#10;forest: all is lost&#27;[2J \u{202e}{long}</title><link>{link}</link><guid>../{n}\u{202e}CON{long}</guid></item>"
        ));
    }
    site.set(|show| show.more = more);
    let before = user.tree();
    assert_eq!(before, [""; 0]);
    let mut output = user.add(&site).ends(0, &[]).err.clone();
    output.push_str(&user.round(3, &["-v"]).ends(0, &["wrapper learned"]).err);
    for args in [
        ["harvest", "status"],
        ["harvest", "list"],
        ["archive", "verify"],
    ] {
        let shown = user.run(&[&args[..], &["--archive", "store"]].concat());
        shown.ends(0, &[]);
        output.push_str(&shown.err);
        output.push_str(&shown.out);
    }
    let forged = |line: &str| line.starts_with("forest: ");
    assert!(!output.lines().any(forged), "{output}");
    let controls = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
    assert!(!output.contains(controls), "{output:?}");
    let sites = format!("store/sites/{}.yaml", site.host.replace(':', "_"));
    for path in user.tree() {
        let known = [
            "store/archive.sqlite",
            "store/index/",
            "store/warc/pages-0",
            "store/warc/texts-0",
            "store/warc/events-0",
            "store/lock",
        ];
        assert!(
            known.iter().any(|known| path.starts_with(known)) || path == sites,
            "{path}"
        );
    }
    sound(&user);
}

#[test]
fn hundreds_of_pages_are_stored_by_one_process() {
    // These are too few pages for a bound on memory; the steps are the same.
    memory(300);
}

/// The request of a kept feed stands before its answer.
#[test]
fn a_feed_is_stored_with_its_request() {
    let (site, user) = (Site::new(1), User::new());
    add_at(&user, &site);
    user.round(3, &[]).ends(0, &["1 new article"]);
    let file = fs::File::open(user.path("store/warc/pages-000001.warc.gz")).expect("there");
    let file = std::io::BufReader::new(file);
    let mut found = Vec::new();
    for record in forest_sources::warc::RecordReader::new(file).expect("a WARC") {
        let record = record.expect("whole");
        if record.url == site.feed() {
            found.push(record.type_name);
        }
    }
    assert_eq!(found, ["request", "response"]);
}

#[test]
fn warc_files_pass_the_check_of_others() {
    let (site, user) = (Site::new(5), User::new());
    add_at(&user, &site);
    user.round(3, &[]).ends(0, &["5 new articles"]);
    user.run(&user.round_args("2100-01-04T00:00:00Z"))
        .ends(0, &["5 pages"]);
    warcio_check(&user.path("store"));
    pywb_replays(&user.path("store"));
    let url = format!("http://{}/story/2", site.host);
    user.run(&["archive", "forget", "--archive", "store", &url])
        .ends(0, &[]);
    warcio_check(&user.path("store"));
    pywb_replays(&user.path("store"));
}
