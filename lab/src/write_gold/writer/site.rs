//! A site's settings, from `sites.txt`.

use std::collections::BTreeMap;

/// The settings of one site: `key value` lines under `[host]`.
#[derive(Debug, Clone)]
pub struct Site {
    /// The host, which is the folder's name too.
    pub host: String,
    keys: BTreeMap<String, String>,
}

impl Site {
    /// The value of `key`, or an error that names both.
    pub fn get(&self, key: &str) -> Result<&str, String> {
        self.optional(key)
            .ok_or_else(|| format!("sites.txt: [{}] lacks `{key}`", self.host))
    }

    /// The value of `key` if it is there.
    pub fn optional(&self, key: &str) -> Option<&str> {
        self.keys.get(key).map(String::as_str)
    }

    /// The two letters of its language, which its words are found by.
    pub fn language(&self) -> &str {
        &self.optional("lang").unwrap_or("en")[..2]
    }

    /// The numbers of `key`; none if it is not there.
    pub fn numbers(&self, key: &str) -> Result<Vec<usize>, String> {
        self.optional(key)
            .unwrap_or("")
            .split_whitespace()
            .map(|word| {
                word.parse()
                    .map_err(|_| format!("sites.txt: [{}] {key}: `{word}` is no number", self.host))
            })
            .collect()
    }

    /// Two numbers, the lower and the higher end of a range.
    pub fn range(&self, key: &str) -> Result<(usize, usize), String> {
        match self.numbers(key)?[..] {
            [low, high] if low <= high => Ok((low, high)),
            _ => Err(format!(
                "sites.txt: [{}] {key}: two numbers, low and high",
                self.host
            )),
        }
    }
}

/// Reads all sites.
pub fn parse(text: &str) -> Result<Vec<Site>, String> {
    let mut sites: Vec<Site> = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some(host) = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            sites.push(Site {
                host: host.to_owned(),
                keys: BTreeMap::new(),
            });
        } else {
            let site = sites.last_mut().ok_or("sites.txt begins with [host]")?;
            let (key, value) = line.split_once(' ').unwrap_or((line, ""));
            site.keys.insert(key.to_owned(), value.trim().to_owned());
        }
    }
    Ok(sites)
}
