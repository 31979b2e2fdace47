//! Writes `gold/`, the project's own gold.
//!
//! `cargo run --example write_gold` writes it; with `-- --check` nothing is
//! written and the exit code says whether what is there is what would be.

use std::path::Path;
use std::process::ExitCode;

mod writer;

fn main() -> ExitCode {
    let check = std::env::args().any(|argument| argument == "--check");
    match run(check) {
        Ok(message) => {
            println!("{message}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("write_gold: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(check: bool) -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let gold = root.join("gold");
    let files = writer::files(&root.join("examples/write_gold"))?;
    let differing = writer::differences(&files, &gold)?;
    if check {
        return match differing.first() {
            None => Ok(format!("gold/: {} files are as written", files.len())),
            Some(name) => Err(format!(
                "gold/{name} is not what the program writes: run `cargo run --example write_gold`"
            )),
        };
    }
    for name in &differing {
        let path = gold.join(name);
        let done = match files.get(name) {
            Some(content) => path
                .parent()
                .map_or(Ok(()), std::fs::create_dir_all)
                .and_then(|()| std::fs::write(&path, content)),
            None => std::fs::remove_file(&path),
        };
        done.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    let bytes: usize = files.values().map(Vec::len).sum();
    Ok(format!(
        "gold/: {} files, {bytes} bytes, {} of them changed",
        files.len(),
        differing.len()
    ))
}
