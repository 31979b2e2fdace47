#!/bin/sh
# A static binary of forest, which runs on any Linux of this processor: contrib/build-static.sh
#
# Needs rustup, and musl's C compiler (Debian: musl-tools, Alpine: musl-dev gcc) for SQLite, zstd
# and ring.
set -eu
cd "$(dirname "$0")/.."
target="$(uname -m)-unknown-linux-musl"
rustup target add "$target"
cargo build --locked --release --bin forest --target "$target"
echo "target/$target/release/forest"
