//! How fast a harvest is, how much memory it takes and how fast an archive is searched:
//! `cargo run --release -p forest-lab --example harvest_speed [pages|feeds|search]`.
//!
//! The servers are made up, stand on loopback and run in another process. What is
//! measured here is told in `docs/scale.md`.

mod feeds;
mod figures;
mod pages;
mod search;
mod site;
mod words;

fn main() {
    let which = std::env::args().nth(1);
    match which.as_deref() {
        Some("serve") => site::serve(),
        Some("manage") => {
            let dir = std::env::args_os().nth(2).expect("a folder");
            feeds::manage(dir.as_ref());
        }
        Some("pages") => pages::measure(),
        Some("feeds") => feeds::measure(),
        Some("search") => search::measure(),
        Some(other) => panic!("there is no {other}"),
        None => {
            // Memory is measured in a process that has done nothing else.
            feeds::measure();
            pages::measure();
            search::measure();
        }
    }
}
