//! Archives that other programs made, imported: other programs find every record again.

use crate::harvest_cli::site::{Site, User};
use crate::judges::{pywb_replays, wacz_created, wacz_validates, warcio_accounts, warcio_check};
use crate::needed::{needed, program};
use std::path::{Path, PathBuf};
use std::process::Command;

/// pywb's samples that are whole. Left out are one whose record states a false length, one
/// whose digest is false, and those that are to be bad.
const SAMPLES: [&str; 12] = [
    "dupes.warc.gz",
    "example-url-agnostic-orig.warc.gz",
    "example-url-agnostic-revisit.warc.gz",
    "example-wget-1-14.warc.gz",
    "example-wpull.warc.gz",
    "example.arc",
    "example.arc.gz",
    "example.warc.gz",
    "example2.warc.gz",
    "httpbin-resource.warc.gz",
    "iana.warc.gz",
    "missing-status-text.warc",
];

fn import(user: &User, files: &[PathBuf]) {
    let names = files.iter().map(|file| file.to_str().expect("UTF-8"));
    let names: Vec<&str> = names.collect();
    let import = ["archive", "import", "--archive", "store"];
    user.run(&[&import[..], &names].concat())
        .ends(0, &["stored"]);
    // Nothing twice.
    user.run(&[&import[..], &names].concat())
        .ends(0, &["0 records stored"]);
    user.run(&["archive", "verify", "--archive", "store"])
        .ends(0, &["all is well"]);
}

/// Exports all, and imports that into another archive: nothing is lost.
fn goes_round(user: &User) {
    let export = ["archive", "export", "--archive", "store"];
    let whole = ["--format", "wacz", "--out", "all.wacz"];
    user.run(&[&export[..], &whole].concat()).ends(0, &[]);
    let wacz = user.path("all.wacz");
    wacz_validates(&wacz);
    let copy = ["archive", "import", "--archive", "copy", "all.wacz"];
    user.run(&copy).ends(0, &["stored"]);
    warcio_accounts(&user.path("copy"), &[wacz]);
    warcio_check(&user.path("copy"));
}

/// The folder of pywb's samples, which are in its source package.
fn samples() -> Option<PathBuf> {
    let folder = std::env::var_os("FOREST_PYWB_SAMPLES");
    needed(folder, "pywb's sample_archive (FOREST_PYWB_SAMPLES)").map(PathBuf::from)
}

#[test]
fn the_samples_of_a_player_are_accounted_for_and_replayed() {
    let Some(folder) = samples() else { return };
    let user = User::new();
    let files = SAMPLES.map(|name| folder.join("warcs").join(name));
    import(&user, &files);
    warcio_accounts(&user.store(), &files);
    warcio_check(&user.store());
    pywb_replays(&user.store());
    goes_round(&user);
    // A redesign: the pages are read again by other wrappers.
    user.run(&["archive", "reextract", "--archive", "store"]);
    warcio_accounts(&user.store(), &files);
    pywb_replays(&user.store());
}

/// wget's archive of a site: pages, its feed, and addresses that are not there.
fn wget(wget: &Path, user: &User, site: &Site) {
    let host = &site.host;
    let mut list: Vec<String> = (0..100)
        .map(|n| format!("http://{host}/story/{n}"))
        .collect();
    list.extend((0..20).map(|n| format!("http://{host}/nothing/{n}")));
    list.push(site.feed());
    list.push(format!("http://{host}/robots.txt"));
    std::fs::write(user.path("list"), list.join("\n")).expect("written");
    let mut crawl = Command::new(wget);
    crawl.args([
        "--no-proxy",
        "--no-verbose",
        "--tries=1",
        "--warc-file=crawl",
    ]);
    crawl.args(["--directory-prefix=files", "--input-file=list"]);
    let output = crawl.current_dir(user.path("")).output().expect("it runs");
    // 8: some of the answers were errors.
    let erred = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(8), "{erred}");
}

#[test]
fn a_crawl_by_wget_is_accounted_for_and_replayed() {
    let Some(path) = program(&["wget"], "apt-get install wget") else {
        return;
    };
    let (site, user) = (Site::new(100), User::new());
    wget(&path, &user, &site);
    let warc = user.path("crawl.warc.gz");
    import(&user, std::slice::from_ref(&warc));
    warcio_accounts(&user.store(), std::slice::from_ref(&warc));
    warcio_check(&user.store());
    pywb_replays(&user.store());
    goes_round(&user);
    // As WACZ by another program, in one file with pywb's samples.
    let Some(folder) = samples() else { return };
    let both = [warc, folder.join("warcs/iana.warc.gz")];
    let wacz = user.path("both.wacz");
    if wacz_created(&both, &wacz).is_none() {
        return;
    }
    let user = User::new();
    import(&user, std::slice::from_ref(&wacz));
    warcio_accounts(&user.store(), &[wacz]);
    warcio_check(&user.store());
    pywb_replays(&user.store());
}
