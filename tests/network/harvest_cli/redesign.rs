//! A redesign as a user meets it: no edits, a notification, and a wrapper that is learned again.

use super::notify::receiver;
#[cfg(unix)]
use super::site::Running;
use super::site::{Site, User};
use crate::judges::{pywb_replays, warcio_check};
use serde_json::Value;
use std::sync::Mutex;

/// A user with an archive of a site and its wrapper.
fn learned() -> (Site, User) {
    let (site, user) = (Site::new(12), User::new());
    user.add(&site).ends(0, &[]);
    let args = ["harvest", "run", "--once", "--archive", "store"];
    user.run(&[&args[..], &["--delay", "0", "--allow-private"]].concat())
        .ends(0, &["12 new articles", "wrapper learned"]);
    (site, user)
}

fn refetch(user: &User, site: &Site, more: &[&str]) -> super::site::Ran {
    let args = [
        "harvest",
        "refetch",
        "--archive",
        "store",
        "--allow-private",
        "--delay",
        "0",
        "--site",
        &site.host,
    ];
    user.run(&[&args[..], more].concat())
}

/// The articles with more than one version.
fn edited(user: &User) -> Vec<String> {
    let archive = forest_archive::ArchiveReader::open(&user.store()).expect("it opens");
    let mut edited = Vec::new();
    let each = archive.each_latest(&forest_archive::Filter::default(), &mut |article, _| {
        if article.versions > 1 {
            edited.push(article.url);
        }
        Ok(())
    });
    each.expect("readable");
    edited
}

/// The kinds of the notices since the last call.
fn kinds(got: &Mutex<Vec<String>>) -> Vec<String> {
    let got = std::mem::take(&mut *got.lock().expect("not poisoned"));
    let kind = |body: &String| {
        let notice: Value = serde_json::from_str(body).expect("JSON");
        notice["event"].as_str().expect("a name").to_owned()
    };
    got.iter().map(kind).collect()
}

#[test]
fn a_site_that_is_visited_again_is_learned_again_and_its_user_notified() {
    let (site, user) = learned();
    let (got, at) = receiver();
    let config = format!("delay: 0\nnotify: ['http://{}/hook']\n", at.address);
    std::fs::write(user.path("config.yaml"), config).expect("written");
    site.set(|show| {
        show.names = "tribune";
        show.edited = vec![7];
    });
    let refetched = refetch(&user, &site, &["--config", "config.yaml"]);
    refetched.ends(0, &["doubtful", "drift", "wrapper learned again"]);
    assert_eq!(kinds(&got), ["drift", "relearned"]);
    let url = format!("http://{}/story/7?utm_source=rss", site.host);
    assert_eq!(edited(&user), [url]);
    // A receiver that cannot be is named with its place.
    std::fs::write(user.path("config.yaml"), "notify: ['no such program']\n").expect("written");
    refetch(&user, &site, &["--config", "config.yaml"])
        .ends(2, &["notify in the config file", "no program"]);
    refetch(&user, &Site::new(1), &[]).ends(1, &["nothing visited"]);
}

#[test]
fn a_person_has_a_site_learned_again() {
    let (site, user) = learned();
    let relearn = |more: &[&str]| {
        let args = ["site", "relearn", "--archive", "store", &site.host];
        user.run(&[&args[..], more].concat())
    };
    // The wrapper is good on all pages.
    relearn(&[]).ends(0, &["A new wrapper was learned"]);
    site.set(|show| {
        show.names = "tribune";
        show.edited = vec![7];
    });
    user.run(
        &[
            &user.round_args("2100-01-04T00:00:00Z")[..],
            &["--no-learn"],
        ]
        .concat(),
    )
    .ends(0, &["12 pages", "drift"]);
    assert_eq!(edited(&user), [""; 0]);
    let learned = relearn(&["--json"]);
    learned.ends(0, &[]);
    let json = &learned.records()[0];
    assert_eq!(
        (&json["learned"], &json["versions"]),
        (&true.into(), &1.into())
    );
    assert_eq!(edited(&user).len(), 1);
    // Both layouts are replayed as they were.
    warcio_check(&user.store());
    pywb_replays(&user.store());
    user.run(&["site", "relearn", "--archive", "store", "nobody.example"])
        .ends(1, &["nobody.example"]);
}

/// A drift that nobody learned of, seen by `archive reextract`.
#[test]
fn versions_that_are_read_again_have_the_site_learned_and_its_user_notified() {
    let (site, user) = learned();
    let (got, at) = receiver();
    let old = user.path(&format!("store/sites/{}.yaml", site.host.replace(':', "_")));
    let yaml = std::fs::read(&old).expect("a wrapper");
    site.set(|show| show.names = "tribune");
    refetch(&user, &site, &[]).ends(0, &["wrapper learned again"]);
    // The wrapper of the old design is put back, as from a backup.
    std::fs::write(&old, yaml).expect("written");
    let hook = format!("http://{}/hook", at.address);
    let reextract = [
        "archive",
        "reextract",
        "--archive",
        "store",
        "--notify",
        &hook,
    ];
    let kept = user.run(&[&reextract[..], &["--no-learn", "--json"]].concat());
    assert_eq!(kept.ends(0, &[]).records()[0]["relearned"], 0);
    let learned = user.run(&[&reextract[..], &["--json"]].concat());
    learned.ends(0, &["drift", "wrapper learned again"]);
    assert_eq!(learned.records()[0]["relearned"], 1);
    assert_eq!(kinds(&got), ["drift", "relearned"]);
    assert_eq!(edited(&user), [""; 0]);
}

/// A person's wrapper settles what was doubtful: the correction is told as one that a poll sees.
#[test]
fn an_edit_that_reading_again_accepts_is_told() {
    let (site, user) = learned();
    let (got, at) = receiver();
    site.set(|show| {
        show.names = "tribune";
        show.edited = vec![7];
    });
    let no_learning = ["--no-learn"];
    let args = user.round_args("2100-01-04T00:00:00Z");
    user.run(&[&args[..], &no_learning].concat())
        .ends(0, &["drift"]);
    let file = user.path(&format!("store/sites/{}.yaml", site.host.replace(':', "_")));
    let yaml = std::fs::read_to_string(&file).expect("a wrapper");
    std::fs::write(&file, yaml.replace(" story ", " tribunestory ")).expect("written");
    let hook = format!("http://{}/hook", at.address);
    let notify = ["--notify", &hook, "--notify-on", "edited"];
    let reextract = ["archive", "reextract", "--archive", "store"];
    user.run(&[&reextract[..], &notify].concat()).ends(
        0,
        &["1 edit accepted; of the doubtful readings 11 no edits, 0 still doubtful"],
    );
    assert_eq!(kinds(&got), ["edited"]);
}

#[cfg(unix)]
#[test]
fn a_harvest_that_runs_reads_versions_again() {
    let (site, user) = (Site::new(12), User::new());
    user.add(&site).ends(0, &[]);
    let running = Running::new(&user, &["-v"]);
    running.wait_for("wrapper learned");
    let reextract = |more: &[&str]| {
        let args = ["archive", "reextract", "--archive", "store"];
        user.run(&[&args[..], more].concat())
    };
    let asked = ["another process harvests: it reads the versions again now"];
    let feed = site.feed();
    for more in [&[][..], &["--site", &site.host], &["--feed", &feed]] {
        reextract(more).ends(0, &asked);
        running.wait_for("0 versions read again");
    }
    reextract(&["--json"]).ends(2, &["--json tells what this process does"]);
    reextract(&["--no-learn"]).ends(2, &["leave out --no-learn"]);
    reextract(&["--feed", "https://nobody.example/"]).ends(2, &["no such feed"]);
    running.ends("0 feeds");
}
