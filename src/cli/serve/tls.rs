//! The files of the options `--tls-cert` and `--tls-key`.

use crate::cli::{Global, output};
use forest_web::tls::{CertificateFault, CertificatePair, CertificateSource, ServerTls};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of a file that are read: many times what a chain of certificates has.
const MAX_FILE_BYTES: u64 = 1_000_000;

/// HTTPS without a reverse proxy.
#[derive(Debug, clap::Args)]
pub struct TlsArgs {
    /// Answer by https alone, with the certificates in this file (PEM), the server's own first. The
    /// file is read again when it was renewed.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of --tls-cert in this file (PEM).
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

/// Two files that are written by others.
#[derive(Debug)]
struct CertificateFiles {
    certificate: PathBuf,
    key: PathBuf,
}

impl CertificateSource for CertificateFiles {
    fn read(&self) -> io::Result<CertificatePair> {
        Ok(CertificatePair {
            certificate: read("--tls-cert", &self.certificate)?,
            key: read("--tls-key", &self.key)?,
        })
    }
}

fn read(option: &str, path: &Path) -> io::Result<Vec<u8>> {
    let fail = |kind, why: String| {
        let path = path.display();
        io::Error::new(kind, format!("{option} {path}: {why}"))
    };
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path);
    file.and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| fail(error.kind(), format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        let why = "this is no file of a certificate: it has more than 1 MB";
        return Err(fail(ErrorKind::InvalidData, why.to_owned()));
    }
    Ok(bytes)
}

impl TlsArgs {
    /// Returns true if the pages are served by https.
    pub fn is_given(&self) -> bool {
        self.tls_cert.is_some()
    }

    /// The scheme of the server's addresses.
    pub fn scheme(&self) -> &'static str {
        if self.is_given() { "https" } else { "http" }
    }

    /// The certificate in the files, if they are given. Warns of a key that others may read.
    ///
    /// # Errors
    ///
    /// If the files cannot be read, have no certificate or key, or do not fit.
    pub fn open(&self, global: &Global) -> anyhow::Result<Option<ServerTls>> {
        let (Some(certificate), Some(key)) = (&self.tls_cert, &self.tls_key) else {
            return Ok(None);
        };
        let files = CertificateFiles {
            certificate: certificate.clone(),
            key: key.clone(),
        };
        let tls = ServerTls::new(Arc::new(files)).map_err(|fault| match fault {
            CertificateFault::Unread(error) => anyhow::Error::new(error),
            fault => {
                let (certificate, key) = (certificate.display(), key.display());
                anyhow::Error::new(fault)
                    .context(format!("--tls-cert {certificate}, --tls-key {key}"))
            }
        })?;
        output::warn_if_readable("--tls-key", key, global);
        Ok(Some(tls))
    }
}
