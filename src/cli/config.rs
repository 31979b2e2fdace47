//! The config file: options that a user repeats.

use anyhow::{Context, bail};
use etcetera::BaseStrategy;
use forest_core::yaml::read_yaml;
use forest_html::page::MOST_PAGE_BYTES;
use forest_text::pipeline::AnyMethod;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The variable of the environment that names the file.
const VARIABLE: &str = "FOREST_CONFIG";

/// The options in the config file. An option on the command line goes before them.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Folder of the wrappers.
    pub sites: Option<PathBuf>,
    /// Folder of the archive.
    pub archive: Option<PathBuf>,
    /// Further fields of the `warcinfo` records of the archive's new WARC files.
    #[serde(deserialize_with = "warcinfo")]
    pub warcinfo: BTreeMap<String, String>,
    /// The `User-Agent` header.
    pub user_agent: Option<String>,
    /// Further request headers.
    pub headers: BTreeMap<String, String>,
    /// Seconds between two requests to a host.
    pub delay: Option<f64>,
    /// Seconds for one request.
    pub timeout: Option<f64>,
    /// Bytes of a page at the most.
    pub max_page_bytes: Option<usize>,
    /// The method.
    #[serde(deserialize_with = "method")]
    pub method: Option<AnyMethod>,
    /// The format of `apply`'s output.
    pub format: Option<forest_text::prose::RecordFormat>,
    /// Receivers of notifications, as `--notify` takes them.
    pub notify: Vec<String>,
    /// The events to notify of, as `--notify-on` takes them.
    pub notify_on: Vec<String>,
    /// Pages worked on at once.
    pub jobs: Option<usize>,
}

fn method<'de, D: Deserializer<'de>>(from: D) -> Result<Option<AnyMethod>, D::Error> {
    let name = String::deserialize(from)?;
    name.parse().map(Some).map_err(serde::de::Error::custom)
}

/// Fields of WARC 1.1 (6.2) that a user can know better than the program.
const WARCINFO: [&str; 5] = ["operator", "isPartOf", "robots", "description", "hostname"];

fn warcinfo<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, String>, D::Error> {
    let fields = BTreeMap::<String, String>::deserialize(from)?;
    match fields
        .keys()
        .find(|name| !WARCINFO.contains(&name.as_str()))
    {
        None => Ok(fields),
        Some(name) => Err(serde::de::Error::custom(format!(
            "`{name}` is no field of warcinfo: use {}",
            WARCINFO.join(", ")
        ))),
    }
}

impl Config {
    /// Reads `file`, else the file of the variable, else the user's own. If that does not
    /// exist, no option is set.
    pub fn read(file: Option<&Path>) -> anyhow::Result<Config> {
        let named = std::env::var_os(VARIABLE).map(PathBuf::from);
        let path = match file.map(Path::to_owned).or(named) {
            // An empty variable: no config file.
            Some(path) if path.as_os_str().is_empty() => return Ok(Config::default()),
            Some(path) => path,
            None => match own_file() {
                Some(path) if path.exists() => path,
                _ => return Ok(Config::default()),
            },
        };
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot read the config file {}", path.display()))?;
        let mut config = Config::parse(&text)
            .with_context(|| format!("in the config file {}", path.display()))?;
        for folder in [&mut config.sites, &mut config.archive]
            .into_iter()
            .flatten()
        {
            *folder = from_home(folder);
        }
        Ok(config)
    }

    fn parse(text: &str) -> anyhow::Result<Config> {
        // A file of comments is a document without a value.
        let config: Option<Config> = read_yaml(text)?;
        let config = config.unwrap_or_default();
        for (key, seconds_of) in [("delay", config.delay), ("timeout", config.timeout)] {
            if let Some(number) = seconds_of {
                seconds(number).map_err(|e| anyhow::anyhow!("{key}: {e}"))?;
            }
        }
        if let Some(bytes) = config.max_page_bytes {
            page_bytes(bytes).map_err(|e| anyhow::anyhow!("max_page_bytes: {e}"))?;
        }
        if config.jobs == Some(0) {
            bail!("jobs: 0 pages at once is none; give 1 or more, or leave it out for all cores");
        }
        Ok(config)
    }
}

/// A number of seconds that can be waited for: 0 to a day.
pub fn seconds(number: f64) -> Result<f64, String> {
    match number {
        n if (0.0..=86_400.0).contains(&n) => Ok(n),
        n => Err(format!("{n} is no time to wait: give 0 to 86400 seconds")),
    }
}

/// A number of bytes that a page may have.
pub fn page_bytes(number: usize) -> Result<usize, String> {
    match number {
        n @ 1..=MOST_PAGE_BYTES => Ok(n),
        n => Err(format!(
            "{n} bytes are no limit of a page: give 1 to {MOST_PAGE_BYTES}"
        )),
    }
}

fn own_file() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.config_dir().join("forest").join("config.yaml"))
}

/// `~/x` is in the home folder, as shells have it.
fn from_home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), etcetera::home_dir()) {
        (Ok(rest), Ok(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forest_core::learn::Method;

    #[test]
    fn a_file_sets_options() {
        let config =
            Config::parse("sites: w\narchive: a\nheaders: {A: b}\ndelay: 0.5\nmethod: coverage\n");
        let config = config.expect("reads");
        assert_eq!(config.sites, Some(PathBuf::from("w")));
        assert_eq!(config.archive, Some(PathBuf::from("a")));
        assert_eq!(config.headers["A"], "b");
        assert_eq!(config.method, Some(Method::Coverage.into()));
        assert_eq!(config.format, None);
        for empty in ["", "# nothing\n"] {
            assert_eq!(Config::parse(empty).expect("reads"), Config::default());
        }
    }

    #[test]
    fn an_unknown_key_is_an_error_with_its_line() {
        let check = |text: &str, parts: &[&str]| {
            let error = format!("{:#}", Config::parse(text).expect_err(text));
            for part in parts {
                assert!(error.contains(part), "{error} says {part}");
            }
        };
        check("jobs: 2\nsitse: x\n", &["sitse", "line 2"]);
        check("method: magic\n", &["magic", "paper-nodfs"]);
        check("format: pdf\n", &["pdf", "jsonl"]);
        check("delay: -1\n", &["delay", "-1"]);
        check("max_page_bytes: 0\n", &["max_page_bytes", "80000000"]);
        check("jobs: 0\n", &["jobs"]);
    }
}
