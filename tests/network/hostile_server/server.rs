//! A server that does to each connection what a script says, byte by byte.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::runtime::Runtime;
use url::Url;

/// Bytes that the system may keep for a connection on the server's side, so that
/// what is sent is near to what is received.
const SEND_BUFFER: u32 = 16 * 1024;

/// One connection whose request is read.
pub struct Peer {
    stream: TcpStream,
    /// Path and query.
    pub path: String,
    /// The request's head.
    pub head: String,
    /// Earlier connections, without those for robots.txt.
    pub nth: usize,
    sent: Arc<AtomicU64>,
}

impl Peer {
    /// Sends bytes. False once the client has hung up.
    pub async fn send(&mut self, bytes: &[u8]) -> bool {
        for piece in bytes.chunks(4096) {
            if self.stream.write_all(piece).await.is_err() {
                return false;
            }
            self.sent.fetch_add(piece.len() as u64, Ordering::SeqCst);
        }
        true
    }

    /// Sends an answer whose body ends with the connection.
    pub async fn answer(&mut self, status: u16, headers: &[(&str, &str)], body: &[u8]) -> bool {
        let mut head = format!("HTTP/1.1 {status} Status\r\nConnection: close\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        self.send(head.as_bytes()).await && self.send(body).await
    }

    /// Says nothing more until the client hangs up.
    pub async fn stall(&mut self) {
        let mut rest = [0; 1024];
        while self.stream.read(&mut rest).await.is_ok_and(|n| n > 0) {}
    }

    async fn read(stream: TcpStream, sent: Arc<AtomicU64>) -> Option<Peer> {
        let mut peer = Peer {
            stream,
            path: String::new(),
            head: String::new(),
            nth: 0,
            sent,
        };
        while !peer.head.ends_with("\r\n\r\n") {
            let byte = peer.stream.read_u8().await.ok()?;
            peer.head.push(char::from(byte));
        }
        peer.path = peer.head.split(' ').nth(1)?.to_owned();
        Some(peer)
    }
}

pub struct Server {
    address: SocketAddr,
    accepted: Arc<AtomicUsize>,
    asked: Arc<AtomicUsize>,
    sent: Arc<AtomicU64>,
    _runtime: Runtime,
}

impl Server {
    /// A server without a robots.txt that runs the script for all else.
    pub fn new<F>(script: impl Fn(Peer) -> F + Clone + Send + Sync + 'static) -> Server
    where
        F: Future<Output = ()> + Send + 'static,
    {
        Server::at(([127, 0, 0, 1], 0).into(), script).expect("a port")
    }

    /// As [`new`](Self::new) at this address, if it can be had.
    pub fn at<F>(
        address: SocketAddr,
        script: impl Fn(Peer) -> F + Clone + Send + Sync + 'static,
    ) -> Option<Server>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let listener = runtime.block_on(async {
            let socket = match address {
                SocketAddr::V4(_) => TcpSocket::new_v4(),
                SocketAddr::V6(_) => TcpSocket::new_v6(),
            };
            let socket = socket.ok()?;
            socket.set_send_buffer_size(SEND_BUFFER).ok()?;
            socket.bind(address).ok()?;
            socket.listen(128).ok()
        })?;
        let server = Server {
            address: listener.local_addr().expect("an address"),
            accepted: Arc::default(),
            asked: Arc::default(),
            sent: Arc::default(),
            _runtime: runtime,
        };
        let accepted = Arc::clone(&server.accepted);
        let (asked, sent) = (Arc::clone(&server.asked), Arc::clone(&server.sent));
        server._runtime.spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.expect("a connection");
                accepted.fetch_add(1, Ordering::SeqCst);
                let (asked, sent, script) = (Arc::clone(&asked), Arc::clone(&sent), script.clone());
                tokio::spawn(async move {
                    let Some(mut peer) = Peer::read(stream, sent).await else {
                        return;
                    };
                    if peer.path == "/robots.txt" {
                        let none =
                            b"HTTP/1.1 404 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                        let _ = peer.stream.write_all(none).await;
                        return;
                    }
                    peer.nth = asked.fetch_add(1, Ordering::SeqCst);
                    script(peer).await;
                });
            }
        });
        Some(server)
    }

    /// A server whose pages say their own path.
    pub fn echo() -> Server {
        Server::new(|mut peer| async move {
            let path = peer.path.clone();
            peer.answer(200, &[], path.as_bytes()).await;
        })
    }

    pub fn url(&self, path: &str) -> Url {
        Url::parse(&format!("http://{}{path}", self.address)).expect("a URL")
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Connections so far, those for robots.txt included.
    pub fn accepted(&self) -> usize {
        self.accepted.load(Ordering::SeqCst)
    }

    /// Requests so far, without robots.txt.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    /// Bytes that the system took for the client so far.
    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::SeqCst)
    }
}
