//! Bodies of 10 GB of zeros, compressed to a few bytes.

use std::time::Instant;

use flate2::{Compress, Compression, FlushCompress};
use forest_fetch::Why;

use crate::alone;
use crate::hostile_server::server::Server;
use crate::hostile_server::{quick, visit, why};

const MB: u64 = 1 << 20;

/// Zeros in all.
const TOTAL: u64 = 10_000 * MB;

/// A body in pieces: the start, the repeated part with its count, the end.
struct Bomb {
    name: &'static str,
    encoding: &'static str,
    start: Vec<u8>,
    piece: Vec<u8>,
    times: u64,
    end: Vec<u8>,
}

impl Bomb {
    fn bytes(&self) -> u64 {
        (self.start.len() + self.end.len()) as u64 + self.piece.len() as u64 * self.times
    }

    /// A server that sends it as long as the client reads.
    fn serve(self) -> Server {
        let bomb = std::sync::Arc::new(self);
        Server::new(move |mut peer| {
            let bomb = std::sync::Arc::clone(&bomb);
            async move {
                let encoding = [("Content-Encoding", bomb.encoding)];
                let mut open = peer.answer(200, &encoding, &bomb.start).await;
                for _ in 0..bomb.times {
                    open = open && peer.send(&bomb.piece).await;
                    if !open {
                        return;
                    }
                }
                peer.send(&bomb.end).await;
            }
        })
    }
}

/// A megabyte of zeros in deflate blocks that refer to no earlier data and end at a whole byte
/// (RFC 1951).
fn deflated() -> Vec<u8> {
    let mut compress = Compress::new(Compression::best(), false);
    let mut block = vec![0; 16_384];
    let zeros = vec![0; MB as usize];
    let status = compress.compress(&zeros, &mut block, FlushCompress::Full);
    status.expect("deflated");
    assert_eq!(compress.total_in(), MB);
    block.truncate(usize::try_from(compress.total_out()).expect("few"));
    block
}

/// The last block: empty.
const DEFLATE_END: [u8; 2] = [0x03, 0x00];

fn gzip(zeros: u64) -> Bomb {
    let mut end = DEFLATE_END.to_vec();
    // No reader reaches the checksum of a bomb.
    let crc = flate2_crc(zeros);
    end.extend_from_slice(&crc.to_le_bytes());
    end.extend_from_slice(&(zeros as u32).to_le_bytes());
    Bomb {
        name: "gzip",
        encoding: "gzip",
        start: vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255],
        piece: deflated(),
        times: zeros / MB,
        end,
    }
}

/// The CRC-32 of a small number of zeros; 0 for a bomb.
fn flate2_crc(zeros: u64) -> u32 {
    let mut crc = flate2::Crc::new();
    if zeros < 100 * MB {
        crc.update(&vec![0; zeros as usize]);
    }
    crc.sum()
}

fn deflate(zeros: u64) -> Bomb {
    let mut end = DEFLATE_END.to_vec();
    // Adler-32 of zeros: the first sum stays 1, the second counts them.
    let second = (zeros % 65_521) as u32;
    end.extend_from_slice(&(second << 16 | 1).to_be_bytes());
    Bomb {
        name: "deflate",
        encoding: "deflate",
        start: vec![0x78, 0xda],
        piece: deflated(),
        times: zeros / MB,
        end,
    }
}

/// Run-length blocks of 128 KiB in a frame (RFC 8878, 3.1.1) with a window of
/// two to the power of `window`.
fn zstd(name: &'static str, window: u8, zeros: u64) -> Bomb {
    let block = |last: u32| {
        let header = (128 * 1024) << 3 | 1 << 1 | last;
        let mut block = header.to_le_bytes()[..3].to_vec();
        block.push(0);
        block
    };
    Bomb {
        name,
        encoding: "zstd",
        // Magic number; neither size nor checksum; the window.
        start: vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, (window - 10) << 3],
        piece: block(0),
        times: zeros / (128 * 1024) - 1,
        end: block(1),
    }
}

/// Many small frames, each of a run-length block.
fn zstd_frames(zeros: u64) -> Bomb {
    let frame = zstd("", 17, 128 * 1024);
    let piece = [frame.start, frame.end].concat();
    Bomb {
        name: "zstd, a frame each 128 KiB",
        encoding: "zstd",
        start: Vec::new(),
        piece,
        times: zeros / (128 * 1024),
        end: Vec::new(),
    }
}

/// Meta-blocks of 16 MiB (RFC 7932, 9.2): a zero, and a copy of it over the rest.
fn brotli(zeros: u64) -> Bomb {
    const BLOCK: u64 = 1 << 24;
    let mut bits = Bits::default();
    // A window of 64 KiB.
    bits.put(0, 1);
    for _ in 0..zeros / BLOCK {
        // Not the last; six nibbles of length; compressed.
        bits.put(0, 1);
        bits.put(2, 2);
        bits.put(BLOCK - 1, 24);
        bits.put(0, 1);
        // One block type each; distances without postfix and direct codes; one
        // context mode; one tree each.
        bits.put(0, 3 + 6 + 2 + 2);
        // Codes of a single symbol, which takes no bits: the literal 0, "insert
        // 1 and copy 2118 and 24 bits more", the distance 1 and a bit more.
        for (symbol, width) in [(0, 8), (384 + (1 << 3) + 7, 10), (16, 6)] {
            bits.put(1, 2);
            bits.put(0, 2);
            bits.put(symbol, width);
        }
        bits.put(BLOCK - 1 - 2118, 24);
        bits.put(0, 1);
    }
    // The last, empty.
    bits.put(3, 2);
    Bomb {
        name: "br",
        encoding: "br",
        start: bits.bytes,
        piece: Vec::new(),
        times: 0,
        end: Vec::new(),
    }
}

/// Bits from the lowest of each byte.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    free: u32,
}

impl Bits {
    fn put(&mut self, value: u64, width: u32) {
        for bit in 0..width {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = 8;
            }
            let last = self.bytes.last_mut().expect("there is room");
            *last |= ((value >> bit & 1) as u8) << (8 - self.free);
            self.free -= 1;
        }
    }
}

fn bombs(zeros: u64) -> Vec<Bomb> {
    vec![
        gzip(zeros),
        Bomb {
            name: "gzip by another name",
            encoding: "X-GZIP",
            ..gzip(zeros)
        },
        deflate(zeros),
        brotli(zeros),
        zstd("zstd", 17, zeros),
        zstd("zstd, a window of 128 MiB", 27, zeros),
        zstd_frames(zeros),
    ]
}

/// Each body is valid: a small one is read to its end.
#[test]
fn small_bombs_are_zeros() {
    for bomb in bombs(32 * MB) {
        let name = bomb.name;
        let server = bomb.serve();
        let visited = visit(quick().with_page_limit(33 * MB), &server.url("/"));
        let body = visited.unwrap_or_else(|e| panic!("{name}: {e}")).body;
        assert_eq!(body.len() as u64, 32 * MB, "{name}");
        assert!(body.iter().all(|byte| *byte == 0), "{name}");
    }
}

/// Each in a process of its own: the peak memory is a figure of the process.
fn defused(test: &str, make: fn(u64) -> Bomb) {
    if let Some(printed) = alone(test, &[]) {
        let figures = printed.lines().find(|line| line.contains("figures:"));
        println!("{}", figures.expect("figures"));
        return;
    }
    // A first request makes client, runtime and decoder.
    let small = make(32 * MB).serve();
    let cut = visit(quick().with_page_limit(MB), &small.url("/"));
    assert_eq!(why(cut), Why::TooLarge { limit: MB });
    let bomb = make(TOTAL);
    let (name, bytes) = (bomb.name, bomb.bytes());
    let server = bomb.serve();
    let before = memory_kb("VmRSS:");
    let start = Instant::now();
    let cut = visit(quick(), &server.url("/"));
    let time = start.elapsed();
    assert_eq!(why(cut), Why::TooLarge { limit: 20_000_000 }, "{name}");
    let grown = memory_kb("VmHWM:").saturating_sub(before);
    println!(
        "figures: {name}: {bytes} bytes for {TOTAL}, sent {}, {:.2} s, memory + {:.1} MB",
        server.sent(),
        time.as_secs_f64(),
        grown as f64 / 1024.0
    );
    assert_eq!(server.requests(), 1, "{name}: it is not asked again");
    // Most of it, if the whole is not larger than the buffers on the way.
    assert!(
        server.sent() < 1_000_000,
        "{name}: {} bytes sent",
        server.sent()
    );
    assert!(grown < 64 * 1024, "{name}: {grown} kB");
}

/// A figure of this process in kB; 0 if the system has none.
fn memory_kb(name: &str) -> u64 {
    if cfg!(not(target_os = "linux")) {
        return 0;
    }
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells it");
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let figure = line.and_then(|line| line.split_whitespace().next());
    figure.expect(name).parse().expect("a number")
}

#[test]
fn a_bomb_of_10_gb_in_gzip_is_defused() {
    defused(
        "hostile_server::bombs::a_bomb_of_10_gb_in_gzip_is_defused",
        gzip,
    );
}

#[test]
fn a_bomb_of_10_gb_in_deflate_is_defused() {
    defused(
        "hostile_server::bombs::a_bomb_of_10_gb_in_deflate_is_defused",
        deflate,
    );
}

#[test]
fn a_bomb_of_10_gb_in_brotli_is_defused() {
    defused(
        "hostile_server::bombs::a_bomb_of_10_gb_in_brotli_is_defused",
        brotli,
    );
}

#[test]
fn a_bomb_of_10_gb_in_zstd_is_defused() {
    defused(
        "hostile_server::bombs::a_bomb_of_10_gb_in_zstd_is_defused",
        |zeros| zstd("zstd", 17, zeros),
    );
}

#[test]
fn a_bomb_of_10_gb_in_zstd_with_a_wide_window_is_defused() {
    let test = "hostile_server::bombs::a_bomb_of_10_gb_in_zstd_with_a_wide_window_is_defused";
    defused(test, |zeros| zstd("zstd, a window of 128 MiB", 27, zeros));
}

#[test]
fn a_bomb_of_10_gb_in_frames_of_zstd_is_defused() {
    let test = "hostile_server::bombs::a_bomb_of_10_gb_in_frames_of_zstd_is_defused";
    defused(test, zstd_frames);
}

/// An encoding within an encoding is not decoded twice.
#[test]
fn a_bomb_in_a_bomb_stays_wrapped() {
    use std::io::Write;
    let inner = gzip(32 * MB);
    let mut bytes = inner.start.clone();
    for _ in 0..inner.times {
        bytes.extend_from_slice(&inner.piece);
    }
    bytes.extend_from_slice(&inner.end);
    let mut outer = flate2::write::GzEncoder::new(Vec::new(), Compression::best());
    outer.write_all(&bytes).expect("in memory");
    let outer = outer.finish().expect("in memory");
    let server = Server::new(move |mut peer| {
        let outer = outer.clone();
        async move {
            peer.answer(200, &[("Content-Encoding", "gzip")], &outer)
                .await;
        }
    });
    let visited = visit(quick(), &server.url("/")).expect("a page");
    assert!(visited.body == bytes, "one layer is undone");
}
