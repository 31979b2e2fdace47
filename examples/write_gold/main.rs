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
    let files = writer::files(&root.join("examples/write_gold"))?;
    let gold = root.join("gold");
    let mut bytes = 0;
    for (name, content) in &files {
        let path = gold.join(name);
        bytes += content.len();
        if check {
            if std::fs::read(&path).ok().as_ref() != Some(content) {
                return Err(format!(
                    "gold/{name} is not what the program writes: run `cargo run --example write_gold`"
                ));
            }
            continue;
        }
        let written = path
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(&path, content));
        written.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(format!("gold/: {} files, {bytes} bytes", files.len()))
}
