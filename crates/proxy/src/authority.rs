//! A certificate authority of the user's own, so that the proxy can filter pages with https
//! for those who install its certificate (feature `ca`).
//!
//! Whoever has its key can pose as any web site to them. So the authority says all that a
//! certificate can say to make that less: it signs no other authority, servers alone, for
//! [`YEARS`], and no name or address of a local network ([`EXCLUDED_NAMES`],
//! [`EXCLUDED_RANGES`]). Hosts that it does not sign for are not opened.

use chrono::{Datelike, Days, Months, NaiveDate};
use forest_html::text::sha256_hex;
use forest_web::clients::ClientRange;
use forest_web::token::random_bytes;
use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, DistinguishedName, DnType,
    ExtendedKeyUsagePurpose, GeneralSubtree, IsCa, Issuer, KeyPair, KeyUsagePurpose,
    NameConstraints, SerialNumber, date_time_ymd,
};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// Years for which the certificate of an authority is valid.
pub(super) const YEARS: u32 = 2;

/// Days for which the certificate of a host is valid, from the day before on: clocks differ.
const LEAF_DAYS: u64 = 30;

/// Days after which the certificate of a host is made anew.
const LEAF_USED_DAYS: u64 = 7;

/// Hosts whose certificates are kept. All are forgotten at once: a new one takes less than a
/// millisecond.
const KEPT_HOSTS: usize = 1000;

/// Domains of local networks (RFC 6762, 7686, 8375, and the reserved domain `internal`).
pub(super) const EXCLUDED_NAMES: [&str; 4] = ["local", "internal", "home.arpa", "onion"];

/// Addresses of local networks (RFC 1918, 3927, 4193, 4291).
pub(super) const EXCLUDED_RANGES: [&str; 6] = [
    "10.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "fc00::/7",
    "fe80::/10",
];

/// The reason why there is no authority, or no certificate of a host.
#[derive(Debug, thiserror::Error)]
pub enum AuthorityFault {
    /// The text is no certificate.
    #[error("this is no certificate in PEM")]
    NoCertificate,
    /// The text is no key that can be used.
    #[error("this is no key in PEM: {0}")]
    NoKey(rcgen::Error),
    /// The certificate is that of another key, or of no authority.
    #[error("the certificate is not that of an authority with this key")]
    OtherKey,
    /// The certificate is no longer valid.
    #[error("the certificate was valid until {0}: delete both files, and install the new one")]
    Expired(NaiveDate),
    /// A certificate could not be made.
    #[error("a certificate could not be made: {0}")]
    Unmade(#[from] rcgen::Error),
    /// The certificate cannot be used for TLS.
    #[error("the certificate cannot be used: {0}")]
    Unusable(#[from] rustls::Error),
}

/// The certificate of an authority and its key, each in PEM.
pub struct AuthorityPair {
    /// For those who trust the authority.
    pub certificate: String,
    /// For nobody but the proxy.
    pub key: String,
}

/// The certificate that those who use the proxy install.
#[derive(Debug, Clone)]
pub(super) struct AuthorityCertificate {
    pub(super) pem: String,
    /// The SHA-256 of the certificate, as browsers show it.
    pub(super) fingerprint: String,
}

/// An authority that signs the certificates of hosts as they are asked for.
pub struct CertificateAuthority {
    issuer: Issuer<'static, KeyPair>,
    certificate: AuthorityCertificate,
    /// The key of all certificates of hosts, of this run alone.
    leaf_key: KeyPair,
    kept: Mutex<HashMap<String, (NaiveDate, Arc<ServerConfig>)>>,
}

impl fmt::Debug for CertificateAuthority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CertificateAuthority")
            .field(&self.certificate.fingerprint)
            .finish()
    }
}

impl AuthorityPair {
    /// A new authority with a key of its own, valid from the day before `today` on.
    ///
    /// # Errors
    ///
    /// If no key can be made.
    pub fn generate(today: NaiveDate) -> Result<AuthorityPair, AuthorityFault> {
        let key = KeyPair::generate()?;
        let id = sha256_hex(key.public_key_raw());
        let end = today + Months::new(12 * YEARS);
        let mut params = params(&format!("forest proxy {}", &id[..8]), today, end);
        // It signs hosts, and no other authority.
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        params.name_constraints = Some(NameConstraints {
            permitted_subtrees: Vec::new(),
            excluded_subtrees: excluded(),
        });
        Ok(AuthorityPair {
            certificate: params.self_signed(&key)?.pem(),
            key: key.serialize_pem(),
        })
    }
}

impl CertificateAuthority {
    /// The authority of a certificate and a key in PEM.
    ///
    /// # Errors
    ///
    /// If they are none, do not belong together, or are no longer valid.
    pub fn from_pem(
        pair: &AuthorityPair,
        today: NaiveDate,
    ) -> Result<CertificateAuthority, AuthorityFault> {
        let der = CertificateDer::from_pem_slice(pair.certificate.as_bytes())
            .map_err(|_| AuthorityFault::NoCertificate)?;
        let key = KeyPair::from_pem(&pair.key).map_err(AuthorityFault::NoKey)?;
        let (_, read) =
            x509_parser::parse_x509_certificate(&der).map_err(|_| AuthorityFault::NoCertificate)?;
        if !read.is_ca() || &*read.public_key().subject_public_key.data != key.public_key_raw() {
            return Err(AuthorityFault::OtherKey);
        }
        let end = chrono::DateTime::from_timestamp(read.validity().not_after.timestamp(), 0);
        if let Some(end) = end.map(|end| end.date_naive()).filter(|end| *end < today) {
            return Err(AuthorityFault::Expired(end));
        }
        Ok(CertificateAuthority {
            certificate: AuthorityCertificate {
                pem: pair.certificate.clone(),
                fingerprint: fingerprint(&der),
            },
            issuer: Issuer::from_ca_cert_der(&der, key)?,
            leaf_key: KeyPair::generate()?,
            kept: Mutex::default(),
        })
    }

    /// The SHA-256 of the certificate, as browsers show it.
    pub fn fingerprint(&self) -> &str {
        &self.certificate.fingerprint
    }

    /// The certificate to install.
    pub(super) fn certificate(&self) -> &AuthorityCertificate {
        &self.certificate
    }

    /// TLS of a host, with its certificate: HTTP/1.1 alone.
    ///
    /// # Errors
    ///
    /// If the host has no name that a certificate can have.
    pub(super) fn tls(
        &self,
        host: &str,
        today: NaiveDate,
    ) -> Result<Arc<ServerConfig>, AuthorityFault> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((made, tls)) = kept.get(host)
            && (*made..*made + Days::new(LEAF_USED_DAYS)).contains(&today)
        {
            return Ok(Arc::clone(tls));
        }
        let tls = Arc::new(self.made(host, today)?);
        if kept.len() >= KEPT_HOSTS {
            kept.clear();
        }
        kept.insert(host.to_owned(), (today, Arc::clone(&tls)));
        Ok(tls)
    }

    fn made(&self, host: &str, today: NaiveDate) -> Result<ServerConfig, AuthorityFault> {
        let mut params = params("forest proxy", today, today + Days::new(LEAF_DAYS));
        params.subject_alt_names = CertificateParams::new([host.to_owned()])?.subject_alt_names;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.use_authority_key_identifier_extension = true;
        let leaf = params.signed_by(&self.leaf_key, &self.issuer)?;
        let key = PrivateKeyDer::Pkcs8(self.leaf_key.serialize_der().into());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut tls = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(vec![leaf.der().clone()], key)?;
        tls.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(tls)
    }
}

/// True if an authority signs certificates of a host: of a name or address that is not of a
/// local network. The host is as [`Url`](url::Url) gives it, without brackets.
pub(super) fn is_signed(host: &str) -> bool {
    if let Ok(ip) = host.parse::<IpAddr>() {
        let mut ranges = EXCLUDED_RANGES.iter();
        return !ranges.any(|range| {
            let range = range.parse::<ClientRange>();
            range.is_ok_and(|range| range.contains(ip))
        });
    }
    let is_under = |domain: &&str| {
        let above = host.strip_suffix(*domain);
        above.is_some_and(|above| above.is_empty() || above.ends_with('.'))
    };
    !EXCLUDED_NAMES.iter().any(is_under)
}

/// The part that all certificates have: a name, a validity, a number that no other has, and
/// servers as their purpose.
fn params(name: &str, today: NaiveDate, end: NaiveDate) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    let midnight = |day: NaiveDate| date_time_ymd(day.year(), day.month() as u8, day.day() as u8);
    params.not_before = midnight(today - Days::new(1));
    params.not_after = midnight(end);
    // A number is positive, with 20 bytes at the most (RFC 5280, 4.1.2.2).
    let mut serial = random_bytes::<16>();
    serial[0] = serial[0] & 0x3f | 0x40;
    params.serial_number = Some(SerialNumber::from_slice(&serial));
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params
}

fn excluded() -> Vec<GeneralSubtree> {
    let names = EXCLUDED_NAMES.map(|name| GeneralSubtree::DnsName(name.to_owned()));
    let ranges = EXCLUDED_RANGES.iter().filter_map(|range| {
        let range = range.parse::<CidrSubnet>().ok()?;
        Some(GeneralSubtree::IpAddress(range))
    });
    names.into_iter().chain(ranges).collect()
}

fn fingerprint(der: &[u8]) -> String {
    let hex = sha256_hex(der).to_ascii_uppercase();
    let bytes: Vec<&str> = (0..hex.len())
        .step_by(2)
        .map(|at| &hex[at..at + 2])
        .collect();
    bytes.join(":")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    fn pair() -> AuthorityPair {
        AuthorityPair::generate(day("2026-03-01")).expect("a pair")
    }

    #[test]
    fn local_networks_are_not_signed_for() {
        for host in [
            "a.example",
            "xn--bcher-kva.example",
            "8.8.8.8",
            "2606:4700::1",
            "notlocal",
        ] {
            assert!(is_signed(host), "{host}");
        }
        for host in [
            "nas.local",
            "local",
            "wiki.internal",
            "router.home.arpa",
            "x.onion",
            "10.1.2.3",
            "192.168.1.1",
            "172.31.0.1",
            "169.254.169.254",
            "fd00::1",
            "fe80::1",
            "::ffff:10.0.0.1",
        ] {
            assert!(!is_signed(host), "{host}");
        }
    }

    #[test]
    fn the_certificate_says_all_that_limits_it() {
        let pem = pair().certificate;
        let der = CertificateDer::from_pem_slice(pem.as_bytes()).expect("a certificate");
        let (_, read) = x509_parser::parse_x509_certificate(&der).expect("a certificate");
        let basic = read
            .basic_constraints()
            .expect("read")
            .expect("there")
            .value;
        assert_eq!((basic.ca, basic.path_len_constraint), (true, Some(0)));
        let use_for = read
            .extended_key_usage()
            .expect("read")
            .expect("there")
            .value;
        assert!(use_for.server_auth && !use_for.any && !use_for.client_auth);
        let usage = read.key_usage().expect("read").expect("there").value;
        assert!(usage.key_cert_sign() && !usage.digital_signature() && !usage.crl_sign());
        let names = read.name_constraints().expect("read").expect("there").value;
        let excluded = names.excluded_subtrees.as_ref().map_or(0, Vec::len);
        assert_eq!(excluded, EXCLUDED_NAMES.len() + EXCLUDED_RANGES.len());
        let validity = [&read.validity().not_before, &read.validity().not_after];
        let days = validity.map(|at| at.to_datetime().date().to_string());
        assert_eq!(days, ["2026-02-28", "2028-03-01"]);
    }

    #[test]
    fn a_pair_that_does_not_fit_is_refused() {
        let check = |certificate: &str, key: &str, today: &str, message: &str| {
            let pair = AuthorityPair {
                certificate: certificate.to_owned(),
                key: key.to_owned(),
            };
            let fault = CertificateAuthority::from_pem(&pair, day(today)).expect_err("a fault");
            assert!(fault.to_string().contains(message), "{fault}");
        };
        let (one, other) = (pair(), pair());
        let today = "2026-03-02";
        check(&one.certificate, &other.key, today, "this key");
        check("", &one.key, today, "no certificate");
        check(&one.key, &one.key, today, "no certificate");
        check(&one.certificate, "", today, "no key");
        check(&one.certificate, &one.certificate, today, "no key");
        check(&one.certificate, &one.key, "2028-03-02", "2028-03-01");
        assert!(CertificateAuthority::from_pem(&one, day("2028-03-01")).is_ok());
        // A host's certificate is no authority's.
        let leaf = params("x", day(today), day("2027-01-01"));
        let key = KeyPair::from_pem(&one.key).expect("a key");
        let leaf = leaf.self_signed(&key).expect("a certificate").pem();
        check(&leaf, &one.key, today, "authority with this key");
    }

    #[test]
    fn certificates_are_kept_for_a_week_and_within_a_bound() {
        let authority = CertificateAuthority::from_pem(&pair(), day("2026-03-01"));
        let authority = authority.expect("an authority");
        let tls = |host: &str, on: &str| authority.tls(host, day(on)).expect("a certificate");
        let first = tls("a.example", "2026-03-01");
        assert!(Arc::ptr_eq(&first, &tls("a.example", "2026-03-07")));
        assert!(!Arc::ptr_eq(&first, &tls("a.example", "2026-03-08")));
        for number in 0..=KEPT_HOSTS {
            tls(&format!("a{number}.example"), "2026-03-08");
        }
        assert!(authority.kept.lock().expect("no panic").len() <= KEPT_HOSTS);
        for host in ["127.0.0.1", "2606:4700::1"] {
            tls(host, "2026-03-01");
        }
    }
}
