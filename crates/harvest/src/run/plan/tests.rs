//! The decisions of a harvest, without a network.

use super::*;
use forest_archive::FeedPoll;
use forest_core::feed::ItemRules;
use forest_fetch::{FetchFailure, Why};

fn moment() -> Moment {
    Moment {
        utc: "2026-01-02T03:04:05Z".parse().expect("a date"),
        instant: Instant::now(),
    }
}

impl Moment {
    fn after(self, wait: Duration) -> Moment {
        Moment {
            utc: self.utc + wait,
            instant: self.instant + wait,
        }
    }
}

fn feed(url: &str) -> FeedRow {
    FeedRow {
        named: url.to_owned(),
        url: url.to_owned(),
        state: "active".to_owned(),
        title: String::new(),
        why: String::new(),
        typed: false,
        added: DateTime::UNIX_EPOCH,
        listed_title: String::new(),
        listed_home: None,
        folders: Vec::new(),
        rules: ItemRules::default(),
        poll: FeedPoll::default(),
    }
}

fn page(id: i64, url: &str) -> DuePage {
    DuePage {
        id,
        url: url.to_owned(),
    }
}

fn target(page: DuePage) -> Box<PageTarget> {
    Box::new(PageTarget {
        page: page.id,
        url: page.url,
        known: KnownAddress::default(),
    })
}

fn response(
    url: &str,
    status: u16,
    retry_after: Option<Duration>,
) -> forest_fetch::Result<Visited> {
    let url = Url::parse(url).expect("a URL");
    Ok(Visited {
        retry_after,
        ..Visited::new(url.clone(), url, status)
    })
}

fn failure(why: Why) -> forest_fetch::Result<Visited> {
    let failure = FetchFailure::new("http://a.example/".to_owned(), None, why);
    Err(failure.into())
}

/// A plan, its time, and its actions so far.
struct PlanCase {
    plan: HarvestPlan,
    now: Moment,
}

impl PlanCase {
    fn new() -> PlanCase {
        let now = moment();
        let plan = HarvestPlan::new(now);
        PlanCase { plan, now }
    }

    fn on(&mut self, event: HarvestEvent) -> Vec<String> {
        let actions = self.plan.on(event, self.now);
        actions.into_iter().map(|action| shown(&action)).collect()
    }

    /// Requests pages of these addresses; returns the tags of the requests.
    fn request(&mut self, pages: &[(i64, &str)]) -> Vec<String> {
        let mut requests = Vec::new();
        for (id, url) in pages {
            let due = page(*id, url);
            if self.plan.accepts(&due, self.now.utc).is_some() {
                requests.extend(self.on(HarvestEvent::PageDue(target(due))));
            }
        }
        requests
    }
}

fn shown(action: &HarvestAction) -> String {
    match action {
        HarvestAction::Request { tag, visit, first } => {
            let first = if *first { " first" } else { "" };
            format!("{tag}: {}{first}", visit.url)
        }
        HarvestAction::Withdraw(url) => format!("withdraw {url}"),
        HarvestAction::Cancel => "cancel".to_owned(),
        HarvestAction::CountRequest(result) => format!("count {result}"),
        HarvestAction::TakeFeed(row, outcome) => {
            let status = outcome.as_ref().map(|visited| visited.status);
            format!("feed {} {status:?}", row.url)
        }
        HarvestAction::ReadPage(target, visited) => {
            format!("read {} {}", target.page, visited.status)
        }
        HarvestAction::MissPage(target, _) => format!("miss {}", target.page),
        HarvestAction::FindFurtherPage(_) => "find further page".to_owned(),
        HarvestAction::ReadFurtherPage(..) => "read further page".to_owned(),
        HarvestAction::TakeRequisite(url, _) => format!("requisite {url}"),
        HarvestAction::TakeFurtherList(gap, _) => format!("take list {}", gap.url),
        HarvestAction::PutOffRequisite(url) => format!("put off {url}"),
    }
}

const A: &str = "http://a.example/";
const B: &str = "http://b.example/";

#[test]
fn a_feed_or_page_is_requested_once_until_it_is_written() {
    let mut case = PlanCase::new();
    let feeds = || vec![feed(A), feed("no address"), feed(B)];
    let requests = case.on(HarvestEvent::FeedsDue(feeds()));
    assert_eq!(requests, [format!("0: {A}"), format!("1: {B}")]);
    assert_eq!(case.on(HarvestEvent::FeedsDue(feeds())), [""; 0]);
    assert_eq!(case.request(&[(7, A), (7, A)]), [format!("2: {A}")]);
    assert_eq!(case.plan.load().requests, 3);

    let taken = case.on(HarvestEvent::Response(0, response(A, 200, None)));
    assert_eq!(taken, [format!("feed {A} Ok(200)")]);
    // Its response is not written yet.
    assert!(case.plan.polls(A));
    assert_eq!(case.on(HarvestEvent::FeedsDue(vec![feed(A)])), [""; 0]);
    case.on(HarvestEvent::FeedWritten(A.to_owned()));
    let again = case.on(HarvestEvent::FeedsDue(vec![feed(A)]));
    assert_eq!(again, [format!("3: {A}")]);

    let read = case.on(HarvestEvent::Response(2, response(A, 200, None)));
    assert_eq!(read, ["count ok", "read 7 200"]);
    assert_eq!(case.request(&[(7, A)]), [""; 0]);
    case.on(HarvestEvent::PagesWritten(vec![7]));
    assert_eq!(case.request(&[(7, A)]), [format!("4: {A}")]);
    // A response for an unknown request.
    assert_eq!(
        case.on(HarvestEvent::Response(2, response(A, 200, None))),
        [""; 0]
    );
}

#[test]
fn a_host_that_fails_three_times_is_left_alone_and_its_pages_stay_due() {
    let mut case = PlanCase::new();
    let pages: Vec<(i64, String)> = (1..6).map(|n| (n, format!("{A}{n}"))).collect();
    let pages: Vec<(i64, &str)> = pages.iter().map(|(n, url)| (*n, url.as_str())).collect();
    assert_eq!(case.request(&pages).len(), 5);
    for tag in 0..2 {
        let missed = case.on(HarvestEvent::Response(tag, failure(Why::Timeout)));
        assert_eq!(missed.len(), 2, "{missed:?}");
    }
    let third = case.on(HarvestEvent::Response(2, response(A, 500, None)));
    assert_eq!(
        third,
        [
            format!("withdraw {A}3"),
            "count status".to_owned(),
            "read 3 500".to_owned()
        ]
    );
    assert_eq!(case.on(HarvestEvent::Withdrawn(vec![3, 4])), [""; 0]);
    assert_eq!(case.plan.load().requests, 0);
    assert_eq!(case.request(&pages[3..]), [""; 0]);
    // The back-off is written, for the next process.
    let changes = std::mem::take(&mut case.plan.batch.changes);
    let until = case.now.after(Duration::from_secs(15 * 60)).utc;
    assert!(
        matches!(&changes[..], [ArchiveChange::Rest { until: at, .. }] if *at == until),
        "{changes:?}"
    );
    // Another host is requested, and the first one again after a quarter of an hour.
    assert_eq!(case.request(&[(9, B)]), [format!("5: {B}")]);
    let (before, after) = (case.now.utc, case.now.after(Duration::from_secs(15 * 60)));
    assert!(!case.plan.back_offs().one_ended(before, before));
    assert!(case.plan.back_offs().one_ended(before, after.utc));
    case.now = after;
    assert_eq!(case.request(&pages[3..]).len(), 2);
    // A success ends the count.
    case.on(HarvestEvent::Response(6, response(A, 200, None)));
    let once = case.on(HarvestEvent::Response(7, failure(Why::Timeout)));
    assert_eq!(once, ["count unreachable", "miss 5"]);
}

#[test]
fn a_back_off_that_a_server_asks_for_is_written_and_bounded() {
    let mut case = PlanCase::new();
    case.request(&[(1, A), (2, A), (3, B)]);
    let week = Some(Duration::from_secs(7 * 24 * 3600));
    let busy = case.on(HarvestEvent::Response(0, response(A, 429, week)));
    assert_eq!(
        busy,
        [
            format!("withdraw {A}"),
            "count status".to_owned(),
            "read 1 429".to_owned()
        ]
    );
    let day = Duration::from_secs(24 * 3600);
    let [ArchiveChange::Rest { origin, until }] = case.plan.batch.changes.as_slice() else {
        panic!("{:?}", case.plan.batch.changes);
    };
    assert_eq!(origin, "http://a.example");
    assert_eq!(*until, case.now.after(day).utc);
    // The fetcher sent no request: the page is still due, and nothing is counted.
    let unasked = failure(Why::Busy {
        status: 429,
        retry_after: Some(day),
    });
    let withdrawn = case.on(HarvestEvent::Response(1, unasked));
    assert_eq!(withdrawn, [format!("withdraw {A}")]);
    case.now = case.now.after(day);
    assert_eq!(case.request(&[(2, A)]), [format!("3: {A}")]);
}

#[test]
fn a_back_off_of_an_earlier_process_holds_unless_the_clock_went_back() {
    let mut case = PlanCase::new();
    let hour = Duration::from_secs(3600);
    let until = case.now.after(hour).utc;
    case.plan
        .restore_back_off("http://a.example".to_owned(), until);
    assert_eq!(case.request(&[(1, A)]), [""; 0]);
    case.now.utc -= 25 * hour;
    assert_eq!(case.request(&[(1, A)]).len(), 1);
}

#[test]
fn requisites_come_first_and_are_put_off_with_their_host() {
    let mut case = PlanCase::new();
    let requisites = [&*format!("{A}p.png"), "no address"].map(|url| RequisiteRequest {
        url: url.to_owned(),
        what: Resource::Picture,
        is_foreign: false,
    });
    let requisites = requisites.to_vec();
    let requests = case.on(HarvestEvent::RequisitesDue(requisites));
    assert_eq!(requests, [format!("0: {A}p.png first")]);
    let put_off = case.on(HarvestEvent::Withdrawn(vec![0]));
    assert_eq!(put_off, [format!("put off {A}p.png")]);
}

#[test]
fn wanted_pages_stay_wanted_until_they_are_written() {
    let mut case = PlanCase::new();
    case.plan.want(1, A.to_owned());
    case.plan.want(2, B.to_owned());
    case.plan.begin(case.now);
    let wanted: Vec<DuePage> = case.plan.wanted().collect();
    assert_eq!(wanted.len(), 2);
    case.request(&[(1, A), (2, B)]);
    case.on(HarvestEvent::PagesWritten(vec![1]));
    // The archive has the event that ends the other's back-off.
    let mut forgotten = target(page(2, B));
    forgotten.known.forgotten = true;
    assert_eq!(case.on(HarvestEvent::PageDue(forgotten)), [""; 0]);
    assert_eq!(case.plan.wanted().count(), 0);
}

#[test]
fn what_is_due_is_not_read_anew_for_each_answer() {
    let mut case = PlanCase::new();
    let (soon, late) = (LOOK_AFTER / 2, LOOK_AFTER);
    let at = |case: &PlanCase, wait| case.now.after(wait);
    assert!(case.plan.begins_look(case.now));
    assert!(
        !case.plan.begins_look(case.now),
        "there is nothing to look for"
    );
    let pages: Vec<(i64, String)> = (0..=FEW as i64).map(|n| (n, format!("{A}{n}"))).collect();
    let pages: Vec<(i64, &str)> = pages.iter().map(|(n, url)| (*n, url.as_str())).collect();
    case.request(&pages[..FEW]);
    case.on(HarvestEvent::Woken);
    assert!(case.plan.begins_look(at(&case, soon)));
    case.request(&pages[FEW..]);
    case.on(HarvestEvent::Woken);
    case.now = at(&case, soon);
    assert!(!case.plan.begins_look(at(&case, soon)));
    assert!(case.plan.begins_look(at(&case, late)));
}

#[test]
fn the_archive_is_checked_at_intervals_for_due_work() {
    let mut case = PlanCase::new();
    assert!(case.plan.begins_look(case.now));
    let begun = case.now.utc;
    assert_eq!(case.plan.check_since(case.now.instant), None);
    let now = case.now.after(LOOK_AFTER);
    assert_eq!(case.plan.check_since(now.instant), Some(begun));
    assert_eq!(case.plan.check_since(now.instant), None, "once");
    case.plan.checked(false, now.utc);
    assert!(!case.plan.looks());
    case.plan.checked(true, now.utc);
    assert!(case.plan.begins_look(now));
    // The clock went backwards.
    case.plan.checked(false, begun);
    assert!(case.plan.looks());
}

#[test]
fn a_batch_is_written_when_it_is_full_or_old_or_nothing_else_is_to_do() {
    let mut case = PlanCase::new();
    let later = |case: &PlanCase, wait| case.now.after(wait).instant;
    assert!(case.plan.writes(case.now.instant, 2), "idle");
    case.request(&[(1, A)]);
    assert!(!case.plan.writes(case.now.instant, 2));
    let change = ArchiveChange::Rest {
        origin: A.to_owned(),
        until: case.now.utc,
    };
    let instant = case.now.instant;
    case.plan.batch.add_requisites(vec![change], instant);
    assert!(!case.plan.writes(later(&case, MAX_BATCH_AGE), 2));
    let old = MAX_BATCH_AGE + Duration::from_millis(1);
    assert!(case.plan.writes(later(&case, old), 2));
    case.plan.batch.requisite_bytes = MAX_REQUISITE_BYTES;
    assert!(case.plan.writes(case.now.instant, 2));
    case.plan.batch = HarvestBatch::default();
    assert!(case.plan.writes(case.now.instant, 0), "full");
}

#[test]
fn it_is_done_when_all_is_written_and_nothing_more_may_be_due() {
    let mut case = PlanCase::new();
    assert!(!case.plan.is_done(), "something may be due");
    assert!(case.plan.begins_look(case.now));
    assert!(case.plan.is_done());
    case.request(&[(1, A)]);
    assert!(!case.plan.is_done());
    case.on(HarvestEvent::Response(0, response(A, 200, None)));
    assert!(!case.plan.is_done(), "it is being read");
    assert_eq!(case.plan.load().reading, 1);
}

#[test]
fn a_stop_cancels_requests_and_keeps_their_pages_due() {
    let mut case = PlanCase::new();
    case.request(&[(1, A)]);
    assert_eq!(case.on(HarvestEvent::Stopped), ["cancel"]);
    assert!(case.plan.is_stopping() && case.plan.is_done());
    assert!(!case.plan.begins_look(case.now.after(LOOK_AFTER)));
    assert_eq!(
        case.plan.check_since(case.now.after(LOOK_AFTER).instant),
        None
    );
    // A late response is ignored.
    assert_eq!(
        case.on(HarvestEvent::Response(0, response(A, 200, None))),
        [""; 0]
    );
}

#[test]
fn no_more_than_enough_is_handed_to_the_fetcher() {
    let mut case = PlanCase::new();
    assert!(case.plan.begins_look(case.now));
    assert_eq!(case.plan.page_limit(), Some(SUBMITTED));
    let feeds = (0..SUBMITTED / 2).map(|n| feed(&format!("{A}{n}")));
    let feeds: Vec<FeedRow> = feeds.collect();
    case.on(HarvestEvent::FeedsDue(feeds));
    assert_eq!(case.plan.page_limit(), None);
    assert!(case.plan.looks(), "there is another look");
}
