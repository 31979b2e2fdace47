//! A fingerprint of a text that changes little if the text changes little.

use super::metric_tokens;
use crate::text::{fnv1a, mixed};

/// Words of a shingle. Three in succession are seldom equal in two texts by chance, and
/// one edited word changes at most three shingles.
const SHINGLE: usize = 3;

/// SimHash (Charikar 2002; Manku, Jain and Das Sarma 2007) of a text in 64 bits, over the
/// shingles of three [metric tokens](metric_tokens). A bit is set if more than half of the
/// shingles' hashes have it set, each counted as often as it occurs. The number of bits in
/// which two texts differ grows with the share of shingles that they do not have in
/// common; for unrelated texts it is 32, with a standard deviation of 4. `None` for a text
/// without a shingle.
///
/// ```
/// use forest_html::text::simhash;
///
/// let ferry = "The ferry to the island leaves at nine in the morning from the new pier.";
/// assert_eq!(simhash(ferry), simhash(&ferry.to_uppercase()));
/// assert_eq!(simhash("Two words"), None);
/// ```
pub fn simhash(text: &str) -> Option<u64> {
    let shingles = shingles(text);
    let mut ones = [0_u32; 64];
    for hash in &shingles {
        for (bit, ones) in ones.iter_mut().enumerate() {
            *ones += u32::from(hash >> bit & 1 == 1);
        }
    }
    let half = shingles.len() as u32 / 2;
    let set = |bits: u64, (bit, ones): (usize, &u32)| bits | u64::from(*ones > half) << bit;
    (!shingles.is_empty()).then(|| ones.iter().enumerate().fold(0, set))
}

/// The hashes of a text's shingles of three [metric tokens](metric_tokens), in its order: the
/// same on all machines, and where two texts share a shingle.
///
/// ```
/// use forest_html::text::shingles;
///
/// assert_eq!(shingles("The ferry leaves at nine").len(), 3);
/// assert_eq!(shingles("THE FERRY, leaves")[0], shingles("The ferry leaves at nine")[0]);
/// ```
pub fn shingles(text: &str) -> Vec<u64> {
    let tokens = metric_tokens(text);
    let words: Vec<&str> = tokens.iter().collect();
    words.windows(SHINGLE).map(hash_of).collect()
}

/// FNV-1a over the words with a zero between two, mixed by MurmurHash3's last step, since
/// each bit is looked at alone. The same on all machines.
fn hash_of(words: &[&str]) -> u64 {
    let bytes = words.iter().enumerate().flat_map(|(at, word)| {
        let between = (at > 0).then_some(0);
        between.into_iter().chain(word.bytes())
    });
    mixed(fnv1a(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FNV-1a's own test vectors, behind the last step.
    #[test]
    fn hashes_are_the_same_everywhere() {
        let mixed = |mut hash: u64| {
            for factor in [0xff51_afd7_ed55_8ccd_u64, 0xc4ce_b9fe_1a85_ec53] {
                hash = (hash ^ hash >> 33).wrapping_mul(factor);
            }
            hash ^ hash >> 33
        };
        assert_eq!(hash_of(&["foobar"]), mixed(0x8594_4171_f739_67e8));
        assert_eq!(hash_of(&["a"]), mixed(0xaf63_dc4c_8601_ec8c));
        assert_ne!(hash_of(&["a", "b"]), hash_of(&["ab"]));
    }

    #[test]
    fn one_shingle_is_its_hash() {
        assert_eq!(
            simhash("One two, THREE!"),
            Some(hash_of(&["one", "two", "three"]))
        );
        assert_eq!(simhash(""), None);
    }

    #[test]
    fn an_edit_changes_few_bits() {
        let words: Vec<String> = (0..300).map(|n| format!("word{}", n * n % 97)).collect();
        let text = words.join(" ");
        let distance = |other: &str| {
            let pair = simhash(&text).zip(simhash(other)).expect("shingles");
            (pair.0 ^ pair.1).count_ones()
        };
        assert!(distance(&text.replacen("word4 ", "another ", 1)) <= 8);
        let others: Vec<String> = (0..300).map(|n| format!("wort{}", n * n % 89)).collect();
        assert!(distance(&others.join(" ")) >= 16);
    }
}
