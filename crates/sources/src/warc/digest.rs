//! Digests of blocks and payloads, `<algorithm>:<digits>`. Ours are SHA-1 in base32, by which
//! other archives and players find equal payloads. Those of others, and of earlier versions
//! of the program (SHA-256 in hex), are read in both ways of writing.

use data_encoding::{BASE32, BASE32_NOPAD, HEXUPPER};
use forest_html::text::hex;
use sha1::Sha1;
use sha2::{Digest, Sha256};

/// The digest of bytes as new records have it.
///
/// ```
/// use forest_sources::warc::sha1_digest;
///
/// assert_eq!(sha1_digest(b""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
/// ```
pub fn sha1_digest(bytes: &[u8]) -> String {
    format!("sha1:{}", BASE32.encode(&Sha1::digest(bytes)))
}

/// The digest of bytes that some archives have, SHA-256 in hex.
pub fn sha256_digest(bytes: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(bytes)))
}

/// Returns true if a digest is that of these bytes; `None` for an unknown algorithm.
pub fn is_digest_of(stated: &str, bytes: &[u8]) -> Option<bool> {
    let stated = uniform_digest(stated)?;
    Some(if stated.starts_with("sha1:") {
        stated == sha1_digest(bytes)
    } else {
        stated == sha256_digest(bytes)
    })
}

/// A digest in the form of [`sha1_digest`] and [`sha256_digest`], whatever the way in which it is
/// written; `None` for an unknown algorithm, and for digits of another length.
pub fn uniform_digest(stated: &str) -> Option<String> {
    let (algorithm, digits) = stated.split_once(':')?;
    let digits = digits.trim().trim_end_matches('=').to_ascii_uppercase();
    let bytes = HEXUPPER.decode(digits.as_bytes());
    let bytes = bytes
        .or_else(|_| BASE32_NOPAD.decode(digits.as_bytes()))
        .ok()?;
    match (algorithm.to_ascii_lowercase().as_str(), bytes.len()) {
        ("sha1" | "sha-1", 20) => Some(format!("sha1:{}", BASE32.encode(&bytes))),
        ("sha256" | "sha-256", 32) => Some(format!("sha256:{}", hex(&bytes))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_of_both_algorithms_are_read_in_both_ways() {
        let bytes = b"A harbour";
        let sha256 = Sha256::digest(bytes);
        let sha1 = Sha1::digest(bytes);
        for stated in [
            sha1_digest(bytes),
            sha1_digest(bytes).to_lowercase(),
            format!("sha1:{}", hex(&sha1)),
            format!("SHA-256:{}", hex(&sha256).to_uppercase()),
            format!("sha256:{}", BASE32.encode(&sha256)),
            format!("sha256:{}", BASE32.encode(&sha256).trim_end_matches('=')),
        ] {
            assert_eq!(is_digest_of(&stated, bytes), Some(true), "{stated}");
            assert_eq!(is_digest_of(&stated, b"A harbor"), Some(false), "{stated}");
        }
        for stated in ["md5:0", "sha1", "", "sha1:00", "sha1:1"] {
            assert_eq!(is_digest_of(stated, bytes), None, "{stated}");
        }
    }
}
