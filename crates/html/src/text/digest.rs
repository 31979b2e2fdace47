//! Digests and hashes of bytes, the same on every machine.

use sha2::{Digest, Sha256};

/// Lower case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let mut out = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        out.push(DIGITS[usize::from(byte >> 4)]);
        out.push(DIGITS[usize::from(byte & 15)]);
    }
    out
}

/// SHA-256 in lower case hexadecimal digits.
///
/// ```
/// assert!(forest_html::text::sha256_hex("").starts_with("e3b0c44298fc1c14"));
/// ```
pub fn sha256_hex(bytes: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(bytes))
}

/// A hash of which each bit depends on all bits of another: the last step of `MurmurHash3`.
#[inline]
pub fn mixed(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ hash >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}

/// FNV-1a, 64 bits, over bytes or wider values.
///
/// ```
/// assert_eq!(forest_html::text::fnv1a("foobar".bytes()), 0x8594_4171_f739_67e8);
/// ```
pub fn fnv1a<T: Into<u64>>(values: impl IntoIterator<Item = T>) -> u64 {
    let add = |hash: u64, value: T| (hash ^ value.into()).wrapping_mul(0x0000_0100_0000_01b3);
    values.into_iter().fold(0xcbf2_9ce4_8422_2325, add)
}
