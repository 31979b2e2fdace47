//! An app that reads all entries of an archive for the first time, and again when there is nothing
//! new.

use super::Server;
use super::connection::Connection;
use anyhow::{Context, Result, ensure};
use chrono::NaiveDate;
use forest_archive::{AppDevice, AppDevices};
use serde_json::Value;
use std::path::Path;
use std::time::Instant;

/// Entries that are read.
const ENTRIES: usize = 10_000;

/// Entries whose contents are asked for at once, as apps do.
const AT_ONCE: usize = 250;

/// The token of the app's device.
const TOKEN: &str = "a token that is long enough";

/// An app on a connection that is kept open.
struct App {
    connection: Connection,
}

impl App {
    fn json(&mut self, path: &str, form: Option<&str>) -> Result<(Value, usize)> {
        let path = format!("/reader/api/0/{path}");
        let answer = self.connection.ask_as_app(&path, TOKEN, form)?;
        ensure!(answer.status == 200, "{path}: status {}", answer.status);
        let bytes = answer.body.len();
        Ok((serde_json::from_slice(&answer.body)?, bytes))
    }

    /// The time for a list, which is printed.
    fn list(&mut self, path: &str) -> Result<Value> {
        let begun = Instant::now();
        let (list, bytes) = self.json(path, None)?;
        let took = begun.elapsed().as_secs_f64() * 1e3;
        println!("{path}: {took:.0} ms, {bytes} bytes");
        Ok(list)
    }
}

/// Prints the times of an app's requests to the server of an archive.
pub fn measure_apps(dir: &Path) -> Result<()> {
    let day = NaiveDate::from_ymd_opt(2026, 1, 1).context("a day")?;
    let device = AppDevice::new("speed".to_owned(), "Speed".to_owned(), TOKEN, day);
    AppDevices::change(dir, |devices| devices.devices = vec![device])?;
    let server = Server::start(dir)?;
    let mut app = App {
        connection: Connection::to(server.at)?,
    };
    println!("the server has {}", server.memory()?);
    let begun = Instant::now();
    for list in ["subscription/list", "tag/list", "unread-count"] {
        app.list(&format!("{list}?output=json"))?;
    }
    let all = "stream/items/ids?output=json&s=user/-/state/com.google/reading-list";
    app.list(&format!(
        "{all}&n={ENTRIES}&xt=user/-/state/com.google/read"
    ))?;
    let starred = "stream/items/ids?output=json&s=user/-/state/com.google/starred";
    app.list(&format!("{starred}&n={ENTRIES}"))?;
    let ids = app.list(&format!("{all}&n={ENTRIES}"))?;
    let ids = ids["itemRefs"].as_array().context("a list")?;
    let ids: Vec<&str> = ids.iter().filter_map(|one| one["id"].as_str()).collect();
    let (mut entries, mut bytes) = (0, 0);
    let reading = Instant::now();
    for some in ids.chunks(AT_ONCE) {
        let form: Vec<String> = some.iter().map(|id| format!("i={id}")).collect();
        let (found, more) = app.json("stream/items/contents", Some(&form.join("&")))?;
        entries += found["items"].as_array().context("a list")?.len();
        bytes += more;
    }
    let took = reading.elapsed().as_secs_f64();
    println!("contents of {entries} entries, {AT_ONCE} at once: {took:.1} s, {bytes} bytes");
    println!("all of it: {:.1} s", begun.elapsed().as_secs_f64());
    println!("the server has {}", server.memory()?);
    app.list(&format!("{all}&n={ENTRIES}&ot=4102444800"))?;
    Ok(())
}
