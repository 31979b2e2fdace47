//! The files in `contrib/`, which the compiler does not check.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("contrib")
        .join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The settings of a unit, `Section.Name=value` each.
fn settings(name: &str) -> BTreeSet<String> {
    let (text, mut section) = (read(name), String::new());
    let mut settings = BTreeSet::new();
    let text = text.replace("\\\n", "");
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            section = name.to_owned();
            continue;
        }
        let (key, _) = line
            .split_once('=')
            .unwrap_or_else(|| panic!("{name}: {line}"));
        assert!(key.chars().all(char::is_alphanumeric), "{name}: {line}");
        settings.insert(format!("{section}.{line}"));
    }
    settings
}

/// The differences of the services; all other settings, above all the hardening, are equal.
const OWN: [&str; 10] = [
    "Unit.Description=",
    "Unit.After=",
    "Unit.StartLimit",
    "Service.Type=",
    "Service.User=",
    "Service.ExecStart=",
    "Service.Restart",
    "Service.SuccessExitStatus=",
    "Service.TimeoutStartSec=",
    "Install.",
];

#[test]
fn all_services_are_hardened_alike() {
    let shared = |name: &str| -> BTreeSet<String> {
        let own = |setting: &String| OWN.iter().any(|own| setting.starts_with(own));
        settings(name).into_iter().filter(|s| !own(s)).collect()
    };
    let daemon = shared("forest-harvest.service");
    assert_eq!(daemon, shared("forest-harvest-once.service"));
    assert_eq!(daemon, shared("forest-serve.service"));
    for wanted in [
        "DynamicUser=yes",
        "ProtectSystem=strict",
        "StateDirectory=forest",
        "NoNewPrivileges=yes",
        "PrivateTmp=yes",
        "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
        "SystemCallFilter=@system-service",
        "CapabilityBoundingSet=",
        "MemoryMax=1G",
        "KillSignal=SIGTERM",
        "TimeoutStopSec=90",
    ] {
        assert!(daemon.contains(&format!("Service.{wanted}")), "{wanted}");
    }
}

#[test]
fn the_timer_starts_the_service_that_is_there() {
    let timer = settings("forest-harvest.timer");
    assert!(timer.contains("Timer.Unit=forest-harvest-once.service"));
    let once = settings("forest-harvest-once.service");
    let runs_once = |s: &&String| s.starts_with("Service.ExecStart=") && s.contains(" --once");
    assert_eq!(once.iter().filter(runs_once).count(), 1);
}

/// The words of the command in a unit.
fn command(name: &str) -> Vec<String> {
    let settings = settings(name);
    let mut lines = settings.iter();
    let line = lines.find_map(|line| line.strip_prefix("Service.ExecStart="));
    let words = line.unwrap_or_default().split_whitespace();
    words.map(str::to_owned).collect()
}

#[test]
fn the_pages_are_those_that_the_proxies_lead_to() {
    let serve = command("forest-serve.service");
    let value = |option: &str| {
        let at = serve.iter().position(|word| word == option);
        serve[at.unwrap_or_else(|| panic!("{option}: {serve:?}")) + 1].clone()
    };
    let harvest = command("forest-harvest.service");
    assert!(harvest.contains(&value("--archive")), "one archive");
    assert!(
        value("--addr").starts_with("127.0.0.1:"),
        "TLS is the proxy's"
    );
    for proxy in ["Caddyfile", "nginx.conf"] {
        let text = read(proxy);
        assert!(text.contains(&value("--addr")), "{proxy}");
        assert!(text.contains(&value("--host")), "{proxy}");
    }
    for header in ["Host $host;", "X-Forwarded-Proto $scheme;"] {
        assert!(read("nginx.conf").contains(&format!("proxy_set_header {header}")));
    }
    // It shares the folder of the harvest, so it is the same user.
    let user = settings("forest-serve.service");
    assert!(user.contains("Service.User=forest-harvest"));
}

#[test]
fn the_container_and_the_recipes_use_options_that_there_are() {
    let help = |args: &[&str]| {
        let mut command = assert_cmd::Command::cargo_bin("forest").expect("the program");
        let ran = command.args(args).arg("--help").output().expect("it runs");
        assert!(ran.status.success(), "{args:?}");
        String::from_utf8(ran.stdout).expect("UTF-8")
    };
    let serve = help(&["serve"]);
    let command = read("Containerfile");
    let command = command
        .lines()
        .find(|line| line.starts_with("CMD"))
        .expect("a command");
    let unit = self::command("forest-serve.service");
    let words = command
        .split(['"', ' '])
        .chain(unit.iter().map(String::as_str));
    let options: Vec<&str> = words.filter(|word| word.starts_with("--")).collect();
    assert_eq!(options.len(), 7, "{options:?}");
    for option in options {
        assert!(serve.contains(option), "{option}");
    }
    let recipes = read("readers.md");
    for path in ["/opml", "/archive", "/makefulltextfeed?url="] {
        assert!(recipes.contains(path), "{path}");
    }
    assert!(help(&["harvest", "add"]).contains("--list"));
    assert!(help(&["serve"]).contains("--new-password"));
    assert!(read("build-static.sh").contains("--target"));
}
