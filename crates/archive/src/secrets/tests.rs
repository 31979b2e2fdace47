use super::*;
use std::fs;

fn site(typed: &str) -> SecretSite {
    SecretSite::read(typed).expect("a site")
}

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).expect("a time")
}

fn cookie(name: &str, path: &str, expires: Option<i64>) -> SecretCookie {
    SecretCookie {
        name: name.to_owned(),
        value: Secret::new(format!("{name}-value")),
        domain: "a.example".to_owned(),
        subdomains: true,
        path: path.to_owned(),
        secure: true,
        expires,
    }
}

/// The headers for a request as lines.
fn sent(dir: &Path, url: &str, now: i64) -> Vec<String> {
    let secrets = SiteSecrets::of(dir).expect("readable");
    let url = Url::parse(url).expect("a URL");
    let found = secrets.for_request(&url, at(now));
    let headers = found.headers.iter();
    let lines = headers.map(|(name, value)| format!("{name}: {}", value.reveal()));
    lines
        .chain(found.expired.iter().map(|name| format!("expired {name}")))
        .collect()
}

#[test]
fn secrets_go_to_their_site_over_https() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let keep = |typed, name, value: &str| {
        SiteSecrets::keep_header(dir, &site(typed), name, Secret::new(value)).expect("kept");
    };
    keep("www.a.example", "X-Key", "old");
    keep("a.example", "x-key", "new");
    keep("a.example", "cookie", "own=1");
    keep("http://b.example:81", "X-Key", "b");
    let cookies = vec![cookie("root", "/", None), cookie("deep", "/x", Some(50))];
    SiteSecrets::keep_cookies(dir, &site("a.example"), cookies).expect("kept");

    let all = [
        "x-key: new",
        "Cookie: own=1; deep=deep-value; root=root-value",
    ];
    assert_eq!(sent(dir, "https://a.example/x/y", 49), all);
    assert_eq!(sent(dir, "https://www.a.example./x", 49), all);
    let without = ["x-key: new", "Cookie: own=1; root=root-value"];
    assert_eq!(sent(dir, "https://a.example/xy", 49), without);
    let expired = [&without[..], &["expired deep"]].concat();
    assert_eq!(sent(dir, "https://a.example/x", 50), expired);
    for other in [
        "http://a.example/x",
        "https://a.example:444/x",
        "https://sub.a.example/x",
        "https://evila.example/x",
        "https://b.example/",
        "http://b.example/",
        "data:text/plain,a.example",
    ] {
        assert_eq!(sent(dir, other, 49), [""; 0], "{other}");
    }
    assert_eq!(sent(dir, "http://b.example:81/", 49), ["X-Key: b"]);
    // A new file of cookies replaces the old one's.
    SiteSecrets::keep_cookies(dir, &site("a.example"), vec![]).expect("kept");
    assert_eq!(
        sent(dir, "https://a.example/x", 49),
        ["x-key: new", "Cookie: own=1"]
    );
}

#[test]
fn secrets_are_removed_by_name() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let a = site("a.example");
    SiteSecrets::keep_header(dir, &a, "sid", Secret::new("v")).expect("kept");
    let cookies = vec![cookie("sid", "/", None), cookie("sid", "/x", None)];
    SiteSecrets::keep_cookies(dir, &a, cookies).expect("kept");
    let remove = |site: &str, name: &str, cookies: bool| {
        let is_one = |one: SiteSecret<'_>| match one {
            SiteSecret::Header(header) => !cookies && header.name == name,
            SiteSecret::Cookie(cookie) => cookies && cookie.name == name,
        };
        SiteSecrets::remove(dir, site, is_one).expect("readable")
    };
    assert_eq!(remove("b.example", "sid", true), 0);
    assert_eq!(remove("a.example", "other", true), 0);
    assert_eq!(remove("a.example", "sid", true), 2);
    assert_eq!(sent(dir, "https://a.example/", 0), ["sid: v"]);
    assert_eq!(remove("a.example", "sid", false), 1);
    let secrets = SiteSecrets::of(dir).expect("readable");
    assert_eq!(secrets.sites().count(), 0);
}

#[test]
fn secrets_are_bounded() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let a = site("a.example");
    let keep = |name: &str, value: &str| {
        SiteSecrets::keep_header(dir, &a, name, Secret::new(value)).map_err(|e| e.to_string())
    };
    let fault = |fault: SecretFault| Err(fault.to_string());
    assert_eq!(keep("", "v"), fault(SecretFault::Empty));
    assert_eq!(keep("n", ""), fault(SecretFault::Empty));
    assert_eq!(keep("n", &"v".repeat(4097)), fault(SecretFault::TooLong));
    assert_eq!(keep("n", "v\r\nX: 1"), fault(SecretFault::Characters));
    assert_eq!(keep("n", &"v".repeat(4096)), Ok(()));
    for number in 1..MAX_SECRET_HEADERS {
        assert_eq!(keep(&format!("n{number}"), "v"), Ok(()));
    }
    assert_eq!(keep("one-more", "v"), fault(SecretFault::TooManyHeaders));
    let before = fs::read(paths::secrets(dir)).expect("a file");
    let cookies = vec![cookie("c", "/", None); MAX_SECRET_COOKIES + 1];
    let refused = SiteSecrets::keep_cookies(dir, &a, cookies).expect_err("refused");
    assert_eq!(refused.to_string(), SecretFault::TooManyCookies.to_string());
    assert_eq!(fs::read(paths::secrets(dir)).expect("a file"), before);
}

#[test]
fn no_error_and_no_debug_output_has_a_value() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = paths::secrets(dir.path());
    let (a, value) = (site("a.example"), Secret::new("hunter2"));
    SiteSecrets::keep_header(dir.path(), &a, "X-Key", value).expect("kept");
    let secrets = SiteSecrets::of(dir.path()).expect("readable");
    let url = Url::parse("https://a.example/").expect("a URL");
    let shown = format!(
        "{secrets:?} {:?} {:?}",
        secrets.of_site("a.example"),
        secrets.for_request(&url, at(0))
    );
    assert!(
        !shown.contains("hunter2") && shown.contains("X-Key"),
        "{shown}"
    );
    let text = fs::read_to_string(&path).expect("a file");
    let broken = [
        text.replace(
            "[{\"name\":\"X-Key\",\"value\":\"hunter2\"",
            "\"hunter2\",[{\"name\":1",
        ),
        text.replace("\"headers\":[", "\"headers\":\"hunter2\",\"x\":["),
        text.replace("\"format\":1", "\"format\":\"hunter2\""),
        text.replace("\"format\":1", "\"format\":2"),
    ];
    for broken in broken {
        assert!(broken != text || broken.is_empty());
        fs::write(&path, &broken).expect("written");
        let error = SiteSecrets::of(dir.path()).expect_err("broken");
        let shown = format!("{error} {error:?}");
        assert!(
            shown.contains("secrets.json") && !shown.contains("hunter2"),
            "{shown}"
        );
        let kept = SiteSecrets::keep_header(dir.path(), &a, "n", Secret::new("v"));
        assert!(kept.is_err() && fs::read_to_string(&path).expect("a file") == broken);
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_others_may_read_is_not_read() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let path = paths::secrets(dir);
    let (a, known) = (site("a.example"), KnownSecrets::default());
    let keep = |value: &str| SiteSecrets::keep_header(dir, &a, "n", Secret::new(value));
    keep("v").expect("kept");
    let set = |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("set");
    assert_eq!(
        fs::metadata(&path).expect("a file").permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(known.of(dir).expect("readable").sites().count(), 1);
    for mode in [0o640, 0o604, 0o620, 0o601] {
        set(mode);
        let error = SiteSecrets::of(dir).expect_err("refused").to_string();
        assert!(
            error.contains("chmod 600") && error.contains("secrets.json"),
            "{error}"
        );
        assert!(known.of(dir).is_err() && keep("w").is_err());
    }
    set(0o600);
    keep("w").expect("kept");
    let secrets = known.of(dir).expect("readable");
    assert_eq!(
        secrets.of_site("a.example").expect("secrets").headers[0]
            .value
            .reveal(),
        "w"
    );
}
