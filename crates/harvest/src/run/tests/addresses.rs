//! Addresses of this machine and its network in a site's pages and feeds: none is connected
//! to. The whole table is in `tests/network/hostile_server/addresses.rs`.

use super::*;

/// Names and addresses of loopback, and other hosts that are not public.
const HOSTS: [&str; 24] = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "017700000001",
    "0177.0.0.1",
    "0x7f.1",
    "0",
    "0.0.0.0",
    "localhost",
    "localhost.",
    "any.localhost",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[2002:7f00:1::]",
    "10.0.0.1",
    "192.168.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "[fc00::1]",
    "[fe80::1]",
    "site.example@127.0.0.1",
];

/// Another server on this machine, whose address nobody typed.
fn neighbour() -> (TestHarvest, &'static str) {
    let world = TestHarvest::new(1);
    let port = world.host().rsplit(':').next().expect("a port").to_owned();
    (world, port.leak())
}

#[test]
fn special_addresses_as_item_links_are_not_dialled() {
    let (neighbour, port) = neighbour();
    let world = TestHarvest::new(3);
    world.site.set(|show| {
        let link = |host: &&str| format!("http://{host}:{port}/story/1");
        show.links = HOSTS.iter().map(link).collect();
    });
    world.add();
    let mut refused = 0;
    let mut archive = world.open();
    let clock: Arc<dyn Clock> = world.clock.clone();
    let options = HarvestOptions::default();
    let mut harvest =
        Harvest::new(&mut archive, &world.fetcher, clock, options).expect("it begins");
    let tally = harvest.run(Until::Idle, &mut |progress| {
        if let HarvestProgress::Page {
            url,
            error: Some(why),
            ..
        } = progress
        {
            assert!(why.contains("is not a public address"), "{url}: {why}");
            refused += 1;
        }
    });
    assert_eq!(tally.expect("harvested").articles, 3);
    drop(harvest);
    // Spellings of one address are one page.
    assert!(refused >= 15, "{refused}");
    assert_eq!(neighbour.site.take_requests(), [""; 0]);
}

#[test]
fn special_addresses_as_canonical_links_are_neither_dialled_nor_believed() {
    let (neighbour, port) = neighbour();
    for host in HOSTS {
        let world = TestHarvest::new(3);
        let address = format!("http://{host}:{port}");
        world.site.set(|show| show.canonical = address.leak());
        world.add();
        world.round(Duration::ZERO);
        let expected: Vec<_> = (1..=3).map(|n| (n, Status::Ok, 1)).collect();
        assert_eq!(world.articles(), expected, "{host}");
    }
    assert_eq!(neighbour.site.take_requests(), [""; 0]);
}
