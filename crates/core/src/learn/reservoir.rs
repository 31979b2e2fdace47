//! A sample of the pages of each host of a crawl, in one pass and in bounded memory.
//!
//! Each page draws a number: a digest of a seed and its address. Kept are the pages of a host
//! with the least numbers, which is a uniform sample. It depends on the order of the pages only
//! where a bound was reached, and the samples of parts of a crawl make that of the whole.

use super::MIN_PAGES;
use flate2::Compression;
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::io::{Read, Write};

/// Bytes that a host and a page take beside names and contents: tables, allocations.
const OVERHEAD_BYTES: usize = 150;

/// The bounds of a [`HostReservoir`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReservoirBounds {
    /// Pages of a host.
    pub per_host: usize,
    /// Hosts.
    pub hosts: usize,
    /// Bytes of all that is held; pages are held compressed.
    pub bytes: usize,
}

/// A page of the sample, its bytes compressed.
#[derive(Debug, PartialEq, Eq)]
pub struct SampledPage {
    /// Its address.
    pub url: String,
    /// Its `Content-Type`.
    pub content_type: Option<String>,
    packed: Vec<u8>,
}

impl SampledPage {
    /// Its bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let read = DeflateDecoder::new(&self.packed[..]).read_to_end(&mut bytes);
        read.expect("it was packed by `packed`");
        bytes
    }

    fn size(&self) -> usize {
        let content_type = self.content_type.as_ref().map_or(0, String::len);
        OVERHEAD_BYTES + self.url.len() + content_type + self.packed.len()
    }
}

/// Up to so many pages of each host.
#[derive(Debug)]
pub struct HostReservoir {
    seed: u64,
    bounds: ReservoirBounds,
    /// Pages of a host by the numbers that they drew.
    hosts: HashMap<String, BTreeMap<[u8; 16], SampledPage>>,
    per_host: usize,
    bytes: usize,
    left_out: u64,
}

impl HostReservoir {
    /// An empty one.
    #[must_use]
    pub fn new(seed: u64, bounds: ReservoirBounds) -> HostReservoir {
        HostReservoir {
            seed,
            bounds,
            hosts: HashMap::new(),
            per_host: bounds.per_host,
            bytes: 0,
            left_out: 0,
        }
    }

    /// Takes a page of a host into the sample if its number is among the least. Of two pages
    /// with one address the first counts.
    pub fn offer(&mut self, host: &str, url: &str, content_type: Option<&str>, page: &[u8]) {
        let drawn = self.drawn(url);
        match self.hosts.get(host) {
            Some(pages) => {
                let is_full = pages.len() >= self.per_host;
                let last = pages.last_key_value().map(|(last, _)| *last);
                if pages.contains_key(&drawn) || is_full && last < Some(drawn) {
                    return;
                }
            }
            None if self.hosts.len() >= self.bounds.hosts || self.is_full() => {
                self.left_out += 1;
                return;
            }
            None => {
                self.bytes += OVERHEAD_BYTES + host.len();
                self.hosts.insert(host.to_owned(), BTreeMap::new());
            }
        }
        let page = SampledPage {
            url: url.to_owned(),
            content_type: content_type.map(str::to_owned),
            packed: packed(page),
        };
        self.bytes += page.size();
        if let Some(pages) = self.hosts.get_mut(host) {
            pages.insert(drawn, page);
            self.bytes -= shrunk(pages, self.per_host);
        }
        self.keep_within();
    }

    /// Returns true if no host may be added for the bytes that are held.
    fn is_full(&self) -> bool {
        self.bytes >= self.bounds.bytes && self.per_host <= MIN_PAGES
    }

    /// Keeps fewer pages of each host while the bytes are too many: all hosts lose alike, and
    /// none so many that nothing could be learned.
    fn keep_within(&mut self) {
        while self.bytes > self.bounds.bytes && self.per_host > MIN_PAGES {
            self.per_host -= 1;
            for pages in self.hosts.values_mut() {
                self.bytes -= shrunk(pages, self.per_host);
            }
        }
    }

    fn drawn(&self, url: &str) -> [u8; 16] {
        let digest = Sha256::new()
            .chain_update(self.seed.to_be_bytes())
            .chain_update(url)
            .finalize();
        let mut drawn = [0; 16];
        drawn.copy_from_slice(&digest[..16]);
        drawn
    }

    /// Pages of a host that are kept at the most: fewer than asked for, where the bound on
    /// bytes was reached.
    pub fn per_host(&self) -> usize {
        self.per_host
    }

    /// Hosts of which pages are held.
    pub fn hosts(&self) -> usize {
        self.hosts.len()
    }

    /// Bytes of all that is held.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Pages of hosts that were left out, as a bound was reached before their first.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The sample: the pages of all hosts in the order of the numbers that they drew.
    pub fn into_drawn(self) -> Vec<SampledPage> {
        let mut drawn: Vec<_> = self.hosts.into_values().flatten().collect();
        drawn.sort_by_key(|(number, _)| *number);
        drawn.into_iter().map(|(_, page)| page).collect()
    }

    /// The sample: the pages of each host by their addresses.
    pub fn into_hosts(self) -> BTreeMap<String, Vec<SampledPage>> {
        let of = |pages: BTreeMap<_, SampledPage>| {
            let mut pages: Vec<SampledPage> = pages.into_values().collect();
            pages.sort_by(|a, b| a.url.cmp(&b.url));
            pages
        };
        let hosts = self.hosts.into_iter();
        hosts.map(|(host, pages)| (host, of(pages))).collect()
    }
}

fn packed(page: &[u8]) -> Vec<u8> {
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::fast());
    let written = packed.write_all(page).and_then(|()| packed.finish());
    let mut packed = written.expect("memory takes all that is written");
    packed.shrink_to_fit();
    packed
}

/// Leaves the first `count` pages; gives the bytes that this frees.
fn shrunk(pages: &mut BTreeMap<[u8; 16], SampledPage>, count: usize) -> usize {
    let mut freed = 0;
    while pages.len() > count
        && let Some((_, page)) = pages.pop_last()
    {
        freed += page.size();
    }
    freed
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: ReservoirBounds = ReservoirBounds {
        per_host: 4,
        hosts: 1000,
        bytes: 1 << 30,
    };

    fn filled(seed: u64, bounds: ReservoirBounds, pages: &[(usize, usize)]) -> HostReservoir {
        let mut sample = HostReservoir::new(seed, bounds);
        for (host, page) in pages {
            let url = format!("https://{host}.example/{page}");
            let text = format!("<p>page {page} of host {host}");
            sample.offer(&format!("{host}.example"), &url, None, text.as_bytes());
        }
        sample
    }

    fn urls(sample: HostReservoir) -> Vec<String> {
        let hosts = sample.into_hosts().into_values().flatten();
        hosts.map(|page| page.url).collect()
    }

    #[test]
    fn the_sample_is_the_same_in_any_order_and_another_by_another_seed() {
        let mut pages: Vec<(usize, usize)> = (0..300).map(|n| (n % 3, n)).collect();
        let sample = urls(filled(1, WIDE, &pages));
        assert_eq!(sample.len(), 12);
        pages.reverse();
        assert_eq!(urls(filled(1, WIDE, &pages)), sample);
        assert_ne!(urls(filled(2, WIDE, &pages)), sample);
    }

    #[test]
    fn each_page_of_a_host_is_as_likely_as_another() {
        let pages: Vec<(usize, usize)> = (0..20).map(|n| (0, n)).collect();
        let mut halves = [0; 2];
        for seed in 0..500 {
            for url in urls(filled(seed, WIDE, &pages)) {
                let number: usize = url.rsplit('/').next().expect("it").parse().expect("one");
                halves[number / 10] += 1;
            }
        }
        // 2,000 draws: four standard deviations of 22.
        assert_eq!(halves.iter().sum::<i32>(), 2000);
        assert!((halves[0] - 1000).abs() < 90, "{halves:?}");
    }

    #[test]
    fn a_page_is_as_it_was_and_counts_once() {
        let sample = filled(1, WIDE, &[(0, 7), (0, 7), (0, 8)]);
        let hosts = sample.into_hosts();
        let pages = &hosts["0.example"];
        assert_eq!(pages.len(), 2);
        assert_eq!(pages[0].bytes(), b"<p>page 7 of host 0");
    }

    #[test]
    fn hosts_beyond_the_bound_are_counted() {
        let bounds = ReservoirBounds { hosts: 2, ..WIDE };
        let sample = filled(1, bounds, &[(0, 1), (1, 1), (2, 1), (2, 2), (1, 2)]);
        assert_eq!((sample.hosts(), sample.left_out()), (2, 2));
    }

    #[test]
    fn bytes_are_bounded_by_fewer_pages_of_each_host_then_by_fewer_hosts() {
        let pages: Vec<(usize, usize)> = (0..4000).map(|n| (n % 500, n)).collect();
        let whole = filled(1, WIDE, &pages).bytes();
        let bounds = |bytes| ReservoirBounds { bytes, ..WIDE };
        let fewer = filled(1, bounds(whole * 3 / 4), &pages);
        assert!(fewer.bytes() <= whole * 3 / 4);
        assert_eq!((fewer.per_host(), fewer.hosts()), (2, 500));
        let least = filled(1, bounds(whole / 8), &pages);
        assert!(least.left_out() > 0 && least.hosts() < 500);
        // The hosts that are there may still get their second page.
        assert!(least.bytes() <= whole / 4);
        assert_eq!(least.per_host(), MIN_PAGES);
    }
}
