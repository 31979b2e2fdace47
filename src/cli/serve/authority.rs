//! The folder of the option `--ca`: the certificate of an authority, and its key.

use crate::cli::{Global, output, when};
use anyhow::{Context, bail};
use forest_proxy::{AuthorityPair, CertificateAuthority};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The certificate, which is for everyone.
const CERTIFICATE: &str = "forest-ca.pem";

/// The key, which is for nobody but its owner.
const KEY: &str = "forest-ca.key";

/// The authority in a folder; a new one if there is none.
///
/// # Errors
///
/// If one of its files is missing, others may read the key, or the two do not fit.
pub fn open(dir: &Path, global: &Global) -> anyhow::Result<CertificateAuthority> {
    let pair = match (read(&dir.join(CERTIFICATE))?, read(&dir.join(KEY))?) {
        (Some(certificate), Some(key)) => AuthorityPair { certificate, key },
        (None, None) => make(dir)?,
        (None, Some(_)) => bail!("--ca {}: {CERTIFICATE} is missing: {REMEDY}", dir.display()),
        (Some(_), None) => bail!("--ca {}: {KEY} is missing: {REMEDY}", dir.display()),
    };
    refuse_readable(&dir.join(KEY))?;
    let authority = CertificateAuthority::from_pem(&pair, when::now().date_naive())
        .with_context(|| format!("--ca {}", dir.display()))?;
    global.say(format_args!(
        "authority: {}, SHA-256 {}",
        dir.join(CERTIFICATE).display(),
        authority.fingerprint()
    ));
    Ok(authority)
}

/// The remedy for half of an authority.
const REMEDY: &str = "put it back, or delete the other file, too, and a new authority is made";

fn read(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).context(format!("--ca: cannot read {}", path.display())),
    }
}

/// A new authority, its key first: nobody can install a certificate without one.
fn make(dir: &Path) -> anyhow::Result<AuthorityPair> {
    output::make_folder(dir)?;
    let pair = AuthorityPair::generate(when::now().date_naive())?;
    output::write_new_private(&dir.join(KEY), pair.key.as_bytes())?;
    output::write(&dir.join(CERTIFICATE), pair.certificate.as_bytes())?;
    Ok(pair)
}

/// An error for a key that others than its owner may read or write.
fn refuse_readable(key: &Path) -> anyhow::Result<()> {
    if output::others_may_read(key) {
        let key = key.display();
        bail!("--ca: others may read {key}: `chmod 600 {key}`, or delete it and make a new one");
    }
    Ok(())
}
