//! Numbers are read back from the WARC files unchanged: a table that is made again does not
//! differ.

use super::*;
use crate::event::{EventRecord, FORMAT, Visit};
use forest_core::wrapper::Wrapper;
use proptest::prelude::*;

/// The range of a confidence, a share or an F1. The first value is a confidence that was once
/// read back with a difference of one unit in the last place.
fn share() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.9090768096814819),
        0.0..=1.0f64,
        // The form in which the models give it.
        (0.0..=1.0f32).prop_map(f64::from),
    ]
}

proptest! {
    #[test]
    fn a_confidence_round_trips(page in share(), text in share()) {
        let arrival = Arrival::new("http://a.example/1".to_owned(), start(), VisitResponse::Nothing);
        let mut visit: Visit = arrival.prepare(&KnownAddress::default()).visit;
        visit.confidence = Some(page);
        visit.outcome = VisitOutcome::Version(Box::new(Extraction {
            text_sha256: String::new(),
            words: 1,
            wrapper: None,
            parts: Vec::new(),
            missing: None,
            record: Article { confidence: Some(text), ..article("http://a.example/1", "") },
        }));
        let event = Event::Page(Box::new(visit));
        let entry = EventRecord { format: FORMAT, at: start(), text: None, event };
        let json = serde_json::to_vec(&entry).expect("JSON");
        let read: EventRecord = serde_json::from_slice(&json).expect("the same");
        prop_assert_eq!(read, entry);
    }

    #[test]
    fn the_numbers_of_a_wrapper_round_trip(numbers in proptest::array::uniform6(share())) {
        let [relevance, j, u, runner_up, low, high] = numbers;
        let yaml = format!(
            "format: 1\nsite: a.example\ntemplates:\n- body: ['//p']\n  evidence:\n    method: forest\n    \
             signifiers: onepage\n    relevance: {relevance:?}\n    j: {j:?}\n    u: {u:?}\n    runner_up:\n      \
             xpath: //a\n      relevance: {runner_up:?}\nexpect:\n  words: [1, 2]\n  \
             link_quota: [{low:?}, {high:?}]\n"
        );
        let wrapper = Wrapper::from_yaml(&yaml).expect("a wrapper").wrapper;
        let evidence = wrapper.templates[0].evidence.as_ref().expect("evidence");
        prop_assert_eq!((evidence.relevance, evidence.j), (Some(relevance), Some(j)));
        let again = Wrapper::from_yaml(&wrapper.to_yaml()).expect("the same").wrapper;
        prop_assert_eq!(again, wrapper);
    }
}
