//! The reader: where it is found, and how its articles and their texts stand.

use super::archive::served;

#[test]
fn the_root_leads_to_the_reader() {
    let (_site, _user, server) = served();
    let root = server.own("/");
    assert_eq!(
        (root.status, root.header("location")),
        (303, Some("reader"))
    );
}
