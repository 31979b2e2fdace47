//! The rule in numbers, its bounds, and feeds in fast motion.

use super::*;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Seconds after a Thursday in 2026.
fn at(seconds: u64) -> DateTime<Utc> {
    let begin = "2026-01-01T00:00:00Z".parse::<DateTime<Utc>>();
    begin.expect("a time") + TimeDelta::seconds(seconds.cast_signed())
}

/// A rhythm polled at `now`, with items at `times`.
fn rhythm(now: u64, times: &[u64]) -> Rhythm {
    let mut rhythm = Rhythm::default();
    rhythm.note(at(now), times.iter().map(|time| Some(at(*time))));
    rhythm
}

fn minutes(rhythm: &Rhythm, result: PollResult, hints: Hints) -> u64 {
    interval(rhythm, &result, &hints).length.as_secs() / MINUTE
}

#[test]
fn half_the_gap_or_an_eighth_of_the_silence() {
    let check = |now: u64, times: &[u64], expected: u64| {
        let rhythm = rhythm(now, times);
        let results = [
            PollResult::New { items: 1 },
            PollResult::Nothing,
            PollResult::NotModified,
        ];
        for result in results {
            let found = minutes(&rhythm, result, Hints::default());
            assert_eq!(found, expected, "{times:?} at {now}: {result:?}");
        }
    };
    check(0, &[], 60);
    check(0, &[0], 60);
    check(DAY, &[DAY, DAY - 4 * HOUR], 120);
    // Silent for 24 of its gaps of an hour.
    check(DAY + HOUR, &[HOUR, 0], 180);
    // Bounds.
    check(DAY, &[DAY, DAY - 16 * MINUTE], 15);
    check(30 * DAY, &[30 * DAY, 0], 24 * 60);
    check(30 * DAY, &[HOUR, 0], 24 * 60);
    // The median of 1, 1 and 12 hours.
    check(
        DAY,
        &[DAY, DAY - HOUR, DAY - 13 * HOUR, DAY - 14 * HOUR],
        30,
    );
    // Only the latest eight gaps count: nine of an hour after years of days.
    let times: Vec<u64> = (0..9)
        .map(|hour| 40 * DAY - hour * HOUR)
        .chain((0..23).map(|day| 39 * DAY - day * DAY))
        .collect();
    check(40 * DAY, &times, 30);
    // In the future is now; as if it came with the poll.
    check(0, &[5 * DAY, 9 * DAY], 60);
}

#[test]
fn items_that_one_poll_finds_are_one_moment() {
    // Twenty items a minute apart, once a day.
    let times: Vec<u64> = (1..9)
        .flat_map(|day| (0..20).map(move |item| day * DAY - item * 30))
        .collect();
    let daily = rhythm(8 * DAY, &times);
    assert_eq!(minutes(&daily, PollResult::Nothing, Hints::default()), 720);
    // One every ten minutes, as they come: not one moment that never ends.
    let mut steady = Rhythm::default();
    for poll in 0..40 {
        let now = at(poll * 10 * MINUTE);
        steady.note(now, [Some(now)]);
    }
    assert_eq!(steady.moments.len(), 20);
    assert_eq!(minutes(&steady, PollResult::Nothing, Hints::default()), 15);
}

#[test]
fn at_most_32_moments_are_kept_in_any_order_of_arrival() {
    let times: Vec<u64> = (0..200).map(|n| n * HOUR).collect();
    let mut newest_first = times.clone();
    newest_first.reverse();
    assert_eq!(
        rhythm(200 * HOUR, &times),
        rhythm(200 * HOUR, &newest_first)
    );
    assert_eq!(rhythm(200 * HOUR, &times).moments.len(), MOST_MOMENTS);
}

#[test]
fn requested_intervals_are_a_floor_of_a_day_at_most() {
    let hourly = rhythm(HOUR, &[HOUR, 0]);
    let check = |hints: Hints, expected: u64| {
        let found = minutes(&hourly, PollResult::Nothing, hints);
        assert_eq!(found, expected, "{hints:?}");
    };
    let seconds = |seconds| Some(Duration::from_secs(seconds));
    let hints = Hints::default();
    check(hints, 30);
    let requested = [(0, 30), (29 * MINUTE, 30), (2 * HOUR, 120)];
    for (requested, expected) in requested
        .into_iter()
        .chain([(7 * DAY, 1440), (u64::MAX, 1440)])
    {
        let (ttl, max_age, retry_after) =
            (seconds(requested), seconds(requested), seconds(requested));
        check(Hints { ttl, ..hints }, expected);
        check(Hints { max_age, ..hints }, expected);
        check(
            Hints {
                retry_after,
                ..hints
            },
            expected,
        );
    }
}

#[test]
fn failures_back_off_and_a_busy_server_is_polled_half_as_often() {
    let hourly = rhythm(HOUR, &[HOUR, 0]);
    let weekly = rhythm(7 * DAY, &[7 * DAY, 0]);
    let failed = |rhythm: &Rhythm, failures| {
        minutes(rhythm, PollResult::Failed { failures }, Hints::default())
    };
    let waits: Vec<u64> = (1..=14).map(|n| failed(&hourly, n)).collect();
    assert_eq!(
        waits,
        [
            30, 30, 33, 50, 75, 113, 170, 256, 384, 576, 864, 1297, 1440, 1440
        ]
    );
    // One failure of a slow feed is not a week's silence.
    assert_eq!(failed(&weekly, 1), 60);
    assert_eq!(failed(&weekly, u32::MAX), 1440);

    let busy = |rhythm: &Rhythm| minutes(rhythm, PollResult::Busy, Hints::default());
    assert_eq!(busy(&Rhythm::default()), 60);
    let mut rhythm = hourly;
    let mut waits = Vec::new();
    for _ in 0..6 {
        let interval = interval(&rhythm, &PollResult::Busy, &Hints::default());
        rhythm.keep(interval);
        waits.push(interval.length.as_secs() / MINUTE);
    }
    assert_eq!(waits, [60, 120, 240, 480, 960, 1440]);
}

#[test]
fn jitter_is_a_tenth_and_keeps_to_the_bounds() {
    let wait = |length: u64, floor: u64, feed: u64| {
        let interval = Interval {
            length: Duration::from_secs(length),
            floor: Duration::from_secs(floor),
        };
        let url = format!("https://example.org/{feed}");
        let next = next_poll(at(0), interval, &url);
        assert_eq!(next, next_poll(at(0), interval, &url), "drawn by lot");
        (next - at(0)).num_milliseconds().cast_unsigned()
    };
    let check = |length: u64, floor: u64, least: u64, most: u64| {
        let waits: Vec<u64> = (0..1000).map(|feed| wait(length, floor, feed)).collect();
        let (first, last) = (waits.iter().min(), waits.iter().max());
        let (first, last) = (*first.expect("some"), *last.expect("some"));
        assert!(
            first >= least * 1000 && last <= most * 1000,
            "{first} {last}"
        );
        // All of what is allowed is used, and none of it by a crowd.
        let width = (most - least) * 1000;
        assert!(last - first >= width * 98 / 100, "{first} {last}");
        let mut tenths = [0; 11];
        for wait in waits {
            if let Some(tenth) = ((wait - least * 1000) * 10).checked_div(width) {
                tenths[usize::try_from(tenth).expect("small")] += 1;
            }
        }
        assert!(tenths.iter().all(|&count| count < 150), "{tenths:?}");
    };
    check(10 * HOUR, 0, 9 * HOUR, 11 * HOUR);
    check(15 * MINUTE, 0, 15 * MINUTE, 15 * MINUTE + 90);
    check(DAY, 0, DAY - DAY / 10, DAY);
    check(2 * HOUR, 2 * HOUR, 2 * HOUR, 2 * HOUR + 12 * MINUTE);
    check(DAY, DAY, DAY, DAY);
    // Out of bounds as it cannot come from `interval`.
    check(0, 0, 15 * MINUTE, 15 * MINUTE + 90);
    check(30 * DAY, 60 * DAY, DAY, DAY);
}

#[test]
fn the_jitter_changes_from_day_to_day() {
    let interval = Interval {
        length: Duration::from_secs(10 * HOUR),
        floor: Duration::ZERO,
    };
    let wait =
        |day: u64| next_poll(at(day * DAY), interval, "https://example.org/") - at(day * DAY);
    let waits: std::collections::BTreeSet<_> = (0..20).map(wait).collect();
    assert_eq!(waits.len(), 20);
    let end = next_poll(DateTime::<Utc>::MAX_UTC, interval, "https://example.org/");
    assert_eq!(end, DateTime::<Utc>::MAX_UTC);
}

#[test]
fn never_sooner_after_a_restart() {
    let mut rhythm = rhythm(HOUR, &[HOUR, 0]);
    let decided = interval(&rhythm, &PollResult::Nothing, &Hints::default());
    rhythm.keep(decided);
    let next = next_poll(at(HOUR), decided, "https://example.org/");
    let kept = serde_json::to_string(&rhythm).expect("plain numbers");
    let read: Rhythm = serde_json::from_str(&kept).expect("as written");
    assert_eq!(read, rhythm);
    assert_eq!(
        interval(&read, &PollResult::Nothing, &Hints::default()),
        decided
    );
    // However often it starts before that time, nothing is due.
    let last = Some(at(HOUR));
    for second in HOUR..HOUR + 27 * MINUTE {
        assert!(at(second) < next);
        assert_eq!(anchored(at(second), next, last), None);
    }
}

#[test]
fn a_clock_that_goes_backwards_causes_neither_a_storm_nor_a_starvation() {
    let year = 365 * DAY;
    let now = at(0);
    let feeds: Vec<(DateTime<Utc>, DateTime<Utc>)> = (0..1000)
        .map(|feed| {
            let last = at(year + feed);
            let length = Duration::from_secs(HOUR + feed * 60);
            let interval = Interval {
                length,
                floor: Duration::ZERO,
            };
            (
                last,
                next_poll(last, interval, &format!("https://example.org/{feed}")),
            )
        })
        .collect();
    let mut times = Vec::new();
    for (last, next) in &feeds {
        assert!(now < *next, "a storm");
        let again = anchored(now, *next, Some(*last)).expect("the clock went back");
        assert_eq!(again - now, *next - *last, "another interval");
        // The state that is stored is one of a clock that did not.
        assert_eq!(anchored(now, again, Some(now)), None);
        assert!(again <= at(DAY), "starved");
        times.push(again);
    }
    times.sort_unstable();
    times.dedup();
    assert!(times.len() > 990, "at the same time");
    // A second back, as time servers set clocks.
    let next = anchored(at(100), at(101 + HOUR), Some(at(101)));
    assert_eq!(next, Some(at(100 + HOUR)));
    // Times that nobody wrote: bounded all the same.
    assert_eq!(anchored(at(0), at(0), Some(at(5))), Some(at(15 * MINUTE)));
    assert_eq!(anchored(at(0), at(year), Some(at(5))), Some(at(DAY)));
    // The rhythm forgets what it saw in the future.
    let mut rhythm = rhythm(year, &[year, year - HOUR]);
    rhythm.note(at(HOUR), [Some(at(0))]);
    assert_eq!(rhythm.moments.len(), 1);
}

#[test]
fn a_feed_that_was_never_polled_keeps_its_time() {
    assert_eq!(anchored(at(5), at(6), None), None);
}

proptest::proptest! {
    #[test]
    fn whatever_is_known_the_interval_is_bounded(
        moments in proptest::collection::vec(proptest::num::i64::ANY, 0..40),
        now in proptest::num::i64::ANY,
        polled in proptest::option::of(proptest::num::i64::ANY),
        interval_s in proptest::option::of(proptest::num::u64::ANY),
        requested in proptest::option::of(proptest::num::u64::ANY),
        failures in proptest::num::u32::ANY,
    ) {
        // What a damaged database may give.
        let mut rhythm = Rhythm { moments, polled, interval_s };
        let requested = requested.map(Duration::from_secs);
        let hints = Hints { ttl: requested, max_age: None, retry_after: requested };
        let now = DateTime::from_timestamp(now, 0).unwrap_or(DateTime::<Utc>::MIN_UTC);
        for result in [PollResult::Nothing, PollResult::Failed { failures }, PollResult::Busy] {
            let interval = interval(&rhythm, &result, &hints);
            proptest::prop_assert!(interval.length >= SHORTEST && interval.length <= LONGEST);
            proptest::prop_assert!(interval.floor <= interval.length);
            rhythm.keep(interval);
            let _ = next_poll(now, interval, "https://example.org/");
            rhythm.note(now, [None, Some(DateTime::<Utc>::MAX_UTC), Some(DateTime::<Utc>::MIN_UTC)]);
            proptest::prop_assert!(rhythm.moments.len() <= 41);
        }
    }
}

/// A feed whose items come at known times, and what polling it gave.
struct Life {
    items: usize,
    polls: usize,
    delays: Vec<u64>,
    missed: usize,
}

/// Days that a life is measured, after [`SETTLING`].
const MEASURED: u64 = 28;
/// Days that are not measured at its begin.
const SETTLING: u64 = 2;
/// When the first poll is; what came before is the feed's past.
const BEGIN: u64 = 100 * DAY;
/// Items that the feed holds.
const WINDOW: usize = 20;

fn live(times: &[u64], dated: bool) -> Life {
    let measured = BEGIN + SETTLING * DAY;
    let end = measured + MEASURED * DAY;
    let mut life = Life {
        items: times
            .iter()
            .filter(|time| (measured..end).contains(time))
            .count(),
        polls: 0,
        delays: Vec::new(),
        missed: 0,
    };
    let mut rhythm = Rhythm::default();
    let mut known = times
        .partition_point(|&time| time <= BEGIN)
        .saturating_sub(WINDOW);
    let mut now = BEGIN;
    while now < end {
        let published = times.partition_point(|&time| time <= now);
        let first = known.max(published.saturating_sub(WINDOW));
        let found = &times[first..published];
        if now >= measured {
            life.polls += 1;
            life.missed += first - known;
            life.delays.extend(found.iter().map(|time| now - time));
        }
        known = published;
        rhythm.note(at(now), found.iter().map(|time| dated.then(|| at(*time))));
        let result = match found.len() {
            0 => PollResult::NotModified,
            items => PollResult::New { items },
        };
        let interval = interval(&rhythm, &result, &Hints::default());
        rhythm.keep(interval);
        let next = next_poll(at(now), interval, "https://example.org/feed");
        now = (next - at(0)).num_seconds().cast_unsigned();
    }
    life
}

/// Numbers that look drawn by lot, below `below`.
fn scatter(n: u64, below: u64) -> u64 {
    let hash = Sha256::digest(n.to_le_bytes());
    let number = hash[..4]
        .iter()
        .fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    number % below
}

/// Times of items until the end of all lives, from each day's.
fn days(times: impl Fn(u64) -> Vec<u64>) -> Vec<u64> {
    let mut all: Vec<u64> = (0..140)
        .flat_map(|day| times(day).into_iter().map(move |time| day * DAY + time))
        .collect();
    all.sort_unstable();
    all
}

/// The feeds of the table on the module's page.
fn feeds() -> Vec<(&'static str, Vec<u64>, bool)> {
    let every = |gap: u64| {
        move |day: u64| {
            let all = 0..DAY / gap;
            all.map(|n| n * gap + scatter(day * 1000 + n, gap))
                .collect()
        }
    };
    let by_day = |day: u64| {
        let hours = 7..22;
        hours
            .map(|hour| hour * HOUR + scatter(day * 100 + hour, HOUR))
            .collect()
    };
    let daily = |day: u64| vec![8 * HOUR + scatter(day, 2 * HOUR)];
    let weekdays = |day: u64| match day % 7 {
        2 | 3 => Vec::new(),
        _ => daily(day),
    };
    let on = |weekday: u64, times: Vec<u64>| {
        move |day: u64| {
            if day % 7 == weekday {
                times.clone()
            } else {
                Vec::new()
            }
        }
    };
    let burst: Vec<u64> = (0..15).map(|n| 10 * HOUR + n * 8 * MINUTE).collect();
    let batch: Vec<u64> = (0..15).map(|n| 6 * HOUR + n).collect();
    vec![
        ("agency: one in five minutes", days(every(5 * MINUTE)), true),
        ("hourly", days(every(HOUR)), true),
        ("hourly, without dates", days(every(HOUR)), false),
        ("newspaper: hourly from 7 to 22", days(by_day), true),
        ("daily", days(daily), true),
        ("daily, without dates", days(daily), false),
        ("on weekdays", days(weekdays), true),
        ("batch: 15 at once, daily", days(|_| batch.clone()), true),
        ("bursts: 15 in two hours, weekly", days(on(1, burst)), true),
        ("weekly", days(on(4, vec![9 * HOUR])), true),
        ("dead for 80 days", days(daily)[..20].to_vec(), true),
    ]
}

fn span(seconds: u64) -> String {
    match seconds / MINUTE {
        minutes if minutes < 100 => format!("{minutes} min"),
        minutes => format!("{}.{} h", minutes / 60, minutes % 60 / 6),
    }
}

#[test]
fn the_table_in_the_docs_is_measured() {
    let mut table = String::new();
    for (name, times, dated) in feeds() {
        let life = live(&times, dated);
        let tenths = |count: usize| {
            let tenths = (count as u64 * 10 + MEASURED / 2) / MEASURED;
            format!("{}.{}", tenths / 10, tenths % 10)
        };
        let mean = life
            .delays
            .iter()
            .sum::<u64>()
            .checked_div(life.delays.len() as u64);
        let longest = life.delays.iter().max().copied();
        let delay = |delay: Option<u64>| delay.map_or_else(|| "-".to_owned(), span);
        table += &format!(
            "//! | {name} | {} | {} | {} | {} | {} |\n",
            tenths(life.items),
            tenths(life.polls),
            delay(mean),
            delay(longest),
            life.missed,
        );
    }
    let page = include_str!("mod.rs");
    assert!(page.contains(&table), "the table is now:\n{table}");
}
