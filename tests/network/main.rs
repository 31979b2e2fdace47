//! Everything that speaks with a server, against servers on loopback: the fetch stage,
//! `forest harvest`, and the pages and the proxy of `serve`. Beside `suite`, a binary of its own: two compile on two cores.

mod fetch;
mod harvest_cli;
mod harvest_life;
#[cfg(unix)]
mod harvest_reliability;
mod hostile_server;
mod import_judged;
#[path = "../shared/judges.rs"]
mod judges;
#[path = "../shared/loopback.rs"]
mod loopback;
#[path = "../shared/needed.rs"]
mod needed;
#[cfg(unix)]
#[path = "../shared/nobody.rs"]
mod nobody;
mod push;
mod secrets;
mod serve;
mod sitemaps;
#[path = "../shared/started.rs"]
mod started;
#[path = "../shared/story.rs"]
mod story;

/// Runs this test again in a process of its own, with other variables in its
/// environment and no proxies, and gives what it printed; `None` in that process, which
/// is to do the test.
fn alone(test: &str, variables: &[(&str, &str)]) -> Option<String> {
    const ALONE: &str = "FOREST_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return None;
    }
    let mut again = std::process::Command::new(std::env::current_exe().expect("this test"));
    for scheme in ["http", "https", "all", "no"] {
        again.env_remove(format!("{scheme}_proxy"));
        again.env_remove(format!("{scheme}_proxy").to_uppercase());
    }
    again.args(["--exact", test, "--nocapture"]).env(ALONE, "1");
    again.envs(variables.iter().copied());
    let output = again.output().expect("a process");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    let passed = output.status.success() && text.contains("1 passed");
    assert!(passed, "{text}{errors}");
    Some(text)
}
