//! The lifetime of connections.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use forest_fetch::{Resource, VisitRequest};
use url::Url;

use crate::fetch::site::{typed, url};
use crate::fetch::{fetcher, quick};

/// Hosts of one machine: ports.
struct Hosts {
    ports: Vec<SocketAddr>,
    open: Arc<Open>,
}

/// The open connections, and their number so far.
#[derive(Default)]
struct Open {
    by_host: Mutex<Counts>,
    closed: Condvar,
}

#[derive(Default)]
struct Counts {
    open: Vec<usize>,
    ever: Vec<usize>,
}

impl Hosts {
    /// Each keeps its connections open. If they are `jealous`, none sends a page before all
    /// connections to the others are closed.
    fn new(hosts: usize, jealous: bool) -> Hosts {
        let open: Arc<Open> = Arc::default();
        let counts = Counts {
            open: vec![0; hosts],
            ever: vec![0; hosts],
        };
        *open.by_host.lock().expect("no panic") = counts;
        let start = |host: usize| {
            let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
            let address = listener.local_addr().expect("an address");
            let open = Arc::clone(&open);
            thread::spawn(move || {
                for stream in listener.incoming() {
                    let (stream, open) = (stream.expect("a connection"), Arc::clone(&open));
                    thread::spawn(move || open.serve(host, stream, jealous));
                }
            });
            address
        };
        let ports = (0..hosts).map(start).collect();
        Hosts { ports, open }
    }

    fn url(&self, host: usize, page: usize) -> Url {
        url(&format!("http://{}/{page}", self.ports[host]))
    }

    /// The number of connections to each, open or closed.
    fn ever(&self) -> Vec<usize> {
        self.open.by_host.lock().expect("no panic").ever.clone()
    }
}

impl Open {
    fn serve(&self, host: usize, mut stream: TcpStream, jealous: bool) {
        let mut counts = self.by_host.lock().expect("no panic");
        counts.open[host] += 1;
        counts.ever[host] += 1;
        drop(counts);
        while let Some(head) = head(&mut stream) {
            let is_page = !head.starts_with(b"GET /robots.txt");
            if is_page && jealous {
                let counts = self.by_host.lock().expect("no panic");
                let others = |counts: &mut Counts| {
                    let open = counts.open.iter().enumerate();
                    open.into_iter().any(|(at, open)| at != host && *open > 0)
                };
                drop(self.closed.wait_while(counts, others).expect("no panic"));
            }
            let answer: &[u8] = match is_page {
                true => b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage",
                false => b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
            };
            stream.write_all(answer).expect("sent");
        }
        self.by_host.lock().expect("no panic").open[host] -= 1;
        self.closed.notify_all();
    }
}

/// The next request, if there is one.
fn head(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    let mut byte = [0; 1];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => head.push(byte[0]),
            _ => return None,
        }
    }
    Some(head)
}

/// A client's timeout: too short for a connection to be closed for its age.
const PATIENCE: Duration = Duration::from_secs(3);

#[test]
fn a_host_of_which_nothing_more_is_wanted_is_left() {
    let hosts = Hosts::new(4, true);
    let one_at_a_time = quick().with_concurrency(1).with_idle_timeout(PATIENCE);
    let fetcher = fetcher(one_at_a_time);
    let urls: Vec<Url> = (0..4).map(|host| hosts.url(host, 0)).collect();
    typed(&fetcher, &urls.iter().collect::<Vec<_>>());
    let mut visits = fetcher.visits(1);
    for (tag, url) in urls.iter().enumerate() {
        visits.submit(tag as u64, VisitRequest::new(url.clone(), Resource::Feed));
        let (_, visited) = visits.next(None).expect("one is under way");
        assert_eq!(visited.expect("an answer").body, b"page");
    }
    let pages = fetcher.get_vec(&urls, Resource::Page, |_, _| {});
    for page in pages {
        assert_eq!(page.expect("an answer").body, b"page");
    }
}

#[test]
fn a_connection_serves_all_that_waits_for_its_host() {
    let hosts = Hosts::new(2, false);
    let fetcher = fetcher(quick().with_per_host(1).with_concurrency(1));
    let mut visits = fetcher.visits(1);
    for page in 0..20 {
        let url = hosts.url(page % 2, page);
        fetcher.allow(&url);
        visits.submit(page as u64, VisitRequest::new(url, Resource::Page));
    }
    while let Some((_, visited)) = visits.next(None) {
        assert_eq!(visited.expect("an answer").body, b"page");
    }
    assert_eq!(hosts.ever(), [1, 1]);
}
