//! Feeds whose generator dies halfway, behind the validators of the whole feed.

use super::*;

/// A server of one feed: its text, and the number of bytes of it that are sent.
fn serve(text: String) -> (Loopback, Arc<AtomicUsize>) {
    let sent = Arc::new(AtomicUsize::new(text.len()));
    let length = Arc::clone(&sent);
    let answer = move |headers: HeaderMap| async move {
        if headers.contains_key(header::IF_NONE_MATCH)
            || headers.contains_key(header::IF_MODIFIED_SINCE)
        {
            return StatusCode::NOT_MODIFIED.into_response();
        }
        let part = text[..length.load(Ordering::SeqCst)].to_owned();
        let validators = [
            (header::ETAG, "\"whole\""),
            (header::LAST_MODIFIED, "Fri, 02 Jan 2026 00:00:00 GMT"),
        ];
        (validators, part).into_response()
    };
    let router = Router::new().route("/feed", get(answer));
    (Loopback::of(|_| router), sent)
}

fn rss(n: usize) -> String {
    format!("<item><title>Story {n}</title><link>http://a.example/{n}</link></item>")
}

fn atom(n: usize) -> String {
    let link = format!("http://a.example/{n}");
    format!("<entry><id>{link}</id><title>Story {n}</title><link href='{link}'/></entry>")
}

fn json(n: usize) -> String {
    let comma = if n == 1 { "" } else { "," };
    format!(
        "{comma}{{\"id\":\"{n}\",\"url\":\"http://a.example/{n}\",\"content_text\":\"Story {n}\"}}"
    )
}

#[test]
fn a_feed_that_is_cut_is_asked_for_again_without_conditions() {
    let items = |item: fn(usize) -> String| (1..=5).map(item).collect::<Vec<String>>();
    let feeds = [
        (
            "<rss version='2.0'><channel><title>News</title>",
            items(rss),
            "</channel></rss>",
        ),
        (
            "<feed xmlns='http://www.w3.org/2005/Atom'><title>News</title>",
            items(atom),
            "</feed>",
        ),
        (
            "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"News\",\"items\":[",
            items(json),
            "]}",
        ),
    ];
    for (head, items, end) in feeds {
        let text = format!("{head}{}{end}", items.concat());
        let cut = head.len() + items[0].len() + 30;
        let (server, sent) = serve(text.clone());
        let mut world = TestHarvest::new(0);
        world.feed = format!("http://{}/feed", server.address);
        world.add();
        let mut warnings = Vec::new();
        let mut round = |world: &TestHarvest| {
            world.clock.advance(25 * HOUR);
            let mut archive = world.open();
            let clock: Arc<dyn Clock> = world.clock.clone();
            let mut harvest = Harvest::new(
                &mut archive,
                &world.fetcher,
                clock,
                HarvestOptions::default(),
            )
            .expect("it begins");
            let tally = harvest.run(Until::Idle, &mut |progress| {
                if let HarvestProgress::Feed { warning, .. } = progress {
                    warnings.push(warning.is_some());
                }
            });
            tally.expect("harvested").items
        };
        let poll = |world: &TestHarvest| {
            let row = world.open().feed(&world.feed).expect("readable");
            row.expect("a feed").poll
        };
        sent.store(cut, Ordering::SeqCst);
        assert_eq!([round(&world), round(&world)], [1, 0], "{head}");
        let known = poll(&world);
        assert_eq!(
            (known.etag, known.last_modified, known.sha256),
            (None, None, None)
        );
        assert_eq!(known.failures, 0);
        assert!(known.error.is_some_and(|why| why.contains("cut off")));
        // It comes whole, and is then asked for conditionally.
        sent.store(text.len(), Ordering::SeqCst);
        assert_eq!([round(&world), round(&world)], [4, 0], "{head}");
        let known = poll(&world);
        assert_eq!(known.etag.as_deref(), Some("\"whole\""));
        assert!(known.sha256.is_some() && known.error.is_none());
        assert_eq!(warnings, [true, true, false, false]);
    }
}
