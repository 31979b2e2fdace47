//! The files in `contrib/`: what the compiler does not see.

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

/// What the two services differ in; all else, the hardening above all, is the same.
const OWN: [&str; 9] = [
    "Unit.Description=",
    "Unit.After=",
    "Unit.StartLimit",
    "Service.Type=",
    "Service.ExecStart=",
    "Service.Restart",
    "Service.SuccessExitStatus=",
    "Service.TimeoutStartSec=",
    "Install.",
];

#[test]
fn both_services_are_hardened_alike() {
    let shared = |name: &str| -> BTreeSet<String> {
        let own = |setting: &String| OWN.iter().any(|own| setting.starts_with(own));
        settings(name).into_iter().filter(|s| !own(s)).collect()
    };
    let daemon = shared("forest-harvest.service");
    assert_eq!(daemon, shared("forest-harvest-once.service"));
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
