//! The `forest` command.

fn main() {}
