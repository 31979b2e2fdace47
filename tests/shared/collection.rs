//! A collection with gold, made for the tests of `forest eval` and of the lab.

use std::fs;

/// A collection `small` of two sites with four pages each, in a new folder.
pub fn small() -> tempfile::TempDir {
    const WORDS: [&str; 40] = [
        "harbour", "storm", "window", "ledger", "copper", "garden", "bridge", "winter", "market",
        "orchard", "signal", "valley", "carpet", "engine", "museum", "lantern", "pepper", "quarry",
        "ribbon", "saddle", "timber", "violin", "walnut", "yellow", "zephyr", "anchor", "basket",
        "candle", "dagger", "ember", "falcon", "gravel", "hammer", "island", "jacket", "kettle",
        "ladder", "marble", "needle", "oyster",
    ];
    let root = tempfile::tempdir().expect("a folder");
    for (s, site) in ["one.example", "two.example"].iter().enumerate() {
        let dir = root.path().join("small").join(site);
        fs::create_dir_all(&dir).expect("a folder");
        for page in 0..4 {
            // Ten words of its own, so that pages differ by words as articles do.
            let word = |i: usize| WORDS[page * 10 + (i * i + i / 7 + s) % 10];
            let text: Vec<&str> = (0..80).map(word).collect();
            let text = text.join(" ");
            let frame = "home news about contact rights ".repeat(12);
            let html = format!(
                "<html><body><div class=menu>{frame}</div><div class=main><div class=story>\
                 <p>{text}</p></div><div class=side>{frame}</div></div></body></html>"
            );
            fs::write(dir.join(format!("{page}.html")), html).expect("a page");
            let gold = serde_json::json!({ "text": text, "title": word(0) });
            fs::write(dir.join(format!("{page}.json")), gold.to_string()).expect("gold");
        }
    }
    root
}
