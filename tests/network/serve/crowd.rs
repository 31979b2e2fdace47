//! Many at once, some of them hostile: the others are served beside them.

use super::extract::serving;
use super::proxy_of;
use super::{Client, Running, options};
use forest_core::Result;
use forest_core::extract::WrapperSource;
use forest_core::wrapper::Wrapper;
use forest_serve::FilterPages;
use std::fmt;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

const ATTACKER: [u8; 4] = [127, 0, 0, 2];
const INNOCENT: [u8; 4] = [127, 0, 0, 3];

/// Connections of one address.
const OF_CLIENT: usize = 64;

/// Half-sent requests from an address.
fn halves(server: &Running, from: [u8; 4], count: usize) -> Vec<Client> {
    let halves = (0..count).map(|_| {
        let mut client = Client::from(from, server.address);
        client.send(b"GET /filter HTTP/1.1\r\nHost:");
        client
    });
    halves.collect()
}

fn status(server: &Running, from: [u8; 4]) -> u16 {
    let host = format!("Host: {}", server.address);
    let mut client = Client::from(from, server.address);
    client.ask("GET /filter", &[&host], b"").status
}

#[test]
fn requests_sent_by_half_keep_out_their_own_address_alone() {
    let pages = FilterPages::new(options()).expect("pages");
    for server in [FilterPages::server, proxy_of] {
        let server = Running::of(&pages, server);
        let _halves = halves(&server, ATTACKER, OF_CLIENT);
        let mut refused = Client::from(ATTACKER, server.address).read(false);
        assert_eq!(refused.status, 503);
        assert!(refused.header("retry-after").is_some());
        refused.body.clear();
        assert_eq!(status(&server, INNOCENT), 200);
    }
}

#[test]
fn a_reverse_proxy_has_the_connections_of_all_its_clients() {
    let pages = FilterPages::new(options()).expect("pages");
    let server = Running::of(&pages, FilterPages::server);
    let _halves = halves(&server, [127, 0, 0, 1], 3 * OF_CLIENT);
    assert_eq!(status(&server, [127, 0, 0, 1]), 200);
}

/// Wrappers whose look-up for the site `held.example` lasts until the test lets it end.
struct HeldWrappers {
    begins: Mutex<Sender<()>>,
    ends: Mutex<Receiver<()>>,
}

impl fmt::Debug for HeldWrappers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HeldWrappers")
    }
}

impl WrapperSource for HeldWrappers {
    fn wrapper(&self, name: &str) -> Result<Option<Wrapper>> {
        if name == "held.example" {
            let _ = self.begins.lock().expect("no panic").send(());
            // It ends with the test, too.
            let _ = self.ends.lock().expect("no panic").recv();
        }
        Ok(None)
    }
}

fn extract(server: &Running, from: [u8; 4], site: &str) -> Client {
    let page = "<article><h1>T</h1><p>The ferry leaves an hour later.</p></article>";
    let mut client = Client::from(from, server.address);
    client.send(
        format!(
            "POST /extract?url=http://{site}/ HTTP/1.1\r\nHost: {}\r\nContent-Type: text/html\r\n\
             Content-Length: {}\r\n\r\n{page}",
            server.address,
            page.len()
        )
        .as_bytes(),
    );
    client
}

#[test]
fn one_client_does_not_have_all_cores_and_its_work_ends_with_it() {
    let (begins, begun) = channel();
    let (end, ends) = channel();
    let wrappers = HeldWrappers {
        begins: Mutex::new(begins),
        ends: Mutex::new(ends),
    };
    let server = serving(options().with_wrappers(Arc::new(wrappers)));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let held: Vec<Client> = (0..4 * cores)
        .map(|_| extract(&server, ATTACKER, "held.example"))
        .collect();
    // As many as there are cores are worked on; the others wait.
    (0..cores).for_each(|_| begun.recv().expect("it works"));
    let answer = extract(&server, INNOCENT, "other.example").read(false);
    assert_eq!(answer.status, 200, "{}", answer.text());
    // The attacker goes away: what waited is not begun.
    drop(held);
    for _ in 0..20 {
        let answer = extract(&server, INNOCENT, "other.example").read(false);
        assert_eq!(answer.status, 200);
    }
    (0..cores).for_each(|_| end.send(()).expect("it waits"));
    let mut last = extract(&server, ATTACKER, "held.example");
    begun.recv().expect("the one that was sent last");
    end.send(()).expect("it waits");
    assert_eq!(last.read(false).status, 200);
    assert!(begun.try_recv().is_err(), "nothing else was worked on");
}
