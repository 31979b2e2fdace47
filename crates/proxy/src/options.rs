//! Options, set before anything goes through.

#[cfg(feature = "ca")]
use std::sync::Arc;

/// Options of the proxy.
#[derive(Debug, Clone)]
pub struct ProxyOptions {
    pub(super) tunnel_ports: Vec<u16>,
    #[cfg(feature = "ca")]
    pub(super) authority: Option<Arc<super::CertificateAuthority>>,
}

impl Default for ProxyOptions {
    fn default() -> ProxyOptions {
        ProxyOptions {
            tunnel_ports: vec![443],
            #[cfg(feature = "ca")]
            authority: None,
        }
    }
}

impl ProxyOptions {
    /// A further port to which the proxy makes tunnels; default: 443 alone.
    pub fn with_tunnel_port(mut self, port: u16) -> Self {
        self.tunnel_ports.push(port);
        self
    }

    /// Opens connections with https by the certificates of this authority, so that their pages
    /// are filtered for those who trust it; default: they are tunnels.
    #[cfg(feature = "ca")]
    pub fn with_authority(mut self, authority: super::CertificateAuthority) -> Self {
        self.authority = Some(Arc::new(authority));
        self
    }
}
