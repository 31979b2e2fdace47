//! The time that a feed asks to be kept before it is fetched again.

use std::time::Duration;

use super::raw::RawItem;

/// No feed is kept longer than a year, whatever it says.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// RSS's `ttl` in minutes, else the syndication module's period divided by its
/// frequency, of which a missing one is `daily` and 1. What is no number, or not
/// above zero, is as if it were not there: a mistake should not keep anybody away.
pub(super) fn ttl(feed: &RawItem) -> Option<Duration> {
    let ttl = feed.ttl.as_deref().and_then(count);
    let ttl = ttl.map(|minutes| Duration::from_secs(minutes.saturating_mul(60)));
    ttl.or_else(|| syndication(feed))
        .map(|time| time.min(LONGEST))
}

fn syndication(feed: &RawItem) -> Option<Duration> {
    let (period, frequency) = (&feed.update_period, &feed.update_frequency);
    if period.is_none() && frequency.is_none() {
        return None;
    }
    let hours = match period.as_deref().map_or("daily", str::trim) {
        "hourly" => 1,
        "daily" => 24,
        "weekly" => 7 * 24,
        // As the module has no calendar: 30 and 365 days.
        "monthly" => 30 * 24,
        "yearly" => 365 * 24,
        _ => return None,
    };
    let times = match frequency {
        Some(times) => count(times)?,
        None => 1,
    };
    let seconds = hours * 60 * 60 / times;
    (seconds > 0).then(|| Duration::from_secs(seconds))
}

/// A whole number above zero; more digits than fit are a very large one.
fn count(text: &str) -> Option<u64> {
    let digits = text.trim();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = digits.parse().unwrap_or(u64::MAX);
    (number > 0).then_some(number)
}

#[cfg(test)]
mod tests {
    use crate::feed::parse;

    fn check(channel: &str, minutes: Option<u64>) {
        let item = "<item><link>https://example.org/a</link></item>";
        let rss = format!(
            "<rss version='2.0' xmlns:sy='http://purl.org/rss/1.0/modules/syndication/'>\
             <channel>{channel}{item}</channel></rss>"
        );
        let feed = parse(rss.as_bytes(), None, None).expect("a feed");
        let found = feed.ttl.map(|ttl| ttl.as_secs());
        assert_eq!(found, minutes.map(|minutes| minutes * 60), "{channel}");
    }

    const YEAR: u64 = 365 * 24 * 60;

    #[test]
    fn minutes() {
        check("", None);
        check("<ttl>60</ttl>", Some(60));
        check("<ttl>\n 5\t</ttl>", Some(5));
        check("<ttl><![CDATA[30]]></ttl>", Some(30));
        check("<ttl>10080</ttl>", Some(7 * 24 * 60));
        for nothing in ["0", "-1", "", "soon", "1e3", "1.5", "0x10", "+60", "٣"] {
            check(&format!("<ttl>{nothing}</ttl>"), None);
        }
        check("<ttl/>", None);
        check("<ttl>99999999</ttl>", Some(YEAR));
        check("<ttl>99999999999999999999999999</ttl>", Some(YEAR));
        check("<ttl>18446744073709551615</ttl>", Some(YEAR));
        // The first that says something.
        check("<ttl></ttl><ttl>20</ttl><ttl>40</ttl>", Some(20));
        // Not an item's.
        check("<item><ttl>60</ttl></item>", None);
    }

    fn check_period(period: &str, frequency: &str, minutes: Option<u64>) {
        let element = |name: &str, value: &str| match value {
            "" => String::new(),
            value => format!("<sy:{name}>{value}</sy:{name}>"),
        };
        let period = element("updatePeriod", period);
        check(&(period + &element("updateFrequency", frequency)), minutes);
    }

    #[test]
    fn periods() {
        check_period("hourly", "1", Some(60));
        check_period("\n\thourly\t", "\n\t2", Some(30));
        check_period("daily", "", Some(24 * 60));
        check_period("", "4", Some(6 * 60));
        check_period("weekly", "1", Some(7 * 24 * 60));
        check_period("monthly", "1", Some(30 * 24 * 60));
        check_period("yearly", "1", Some(YEAR));
        for nothing in ["0", "-2", "often", "18446744073709551615", "1e9"] {
            check_period("hourly", nothing, None);
        }
        check_period("always", "1", None);
        check(
            "<ttl>15</ttl><sy:updatePeriod>daily</sy:updatePeriod>",
            Some(15),
        );
        check(
            "<ttl>0</ttl><sy:updatePeriod>daily</sy:updatePeriod>",
            Some(24 * 60),
        );
    }

    #[test]
    fn in_every_format() {
        let ttl = |text: &str| {
            let feed = parse(text.as_bytes(), None, None).expect("a feed");
            feed.ttl.map(|ttl| ttl.as_secs() / 60)
        };
        let sy = "xmlns:sy='http://purl.org/rss/1.0/modules/syndication/'";
        let period = "<sy:updatePeriod>hourly</sy:updatePeriod>";
        let entry = "<entry><id>a</id></entry>";
        let atom = format!("<feed xmlns='http://www.w3.org/2005/Atom' {sy}>{period}{entry}</feed>");
        assert_eq!(ttl(&atom), Some(60));
        let rdf = format!(
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
             xmlns='http://purl.org/rss/1.0/' {sy}><channel>{period}</channel>\
             <item><title>a</title></item></rdf:RDF>"
        );
        assert_eq!(ttl(&rdf), Some(60));
        // A prefix that nobody declared, as hand-made feeds have it.
        let rss = format!("<rss version='2.0'><channel>{period}</channel></rss>");
        assert_eq!(ttl(&rss), Some(60));
        let json = r#"{"version": "https://jsonfeed.org/version/1.1", "ttl": 60, "items": []}"#;
        assert_eq!(ttl(json), None);
    }
}
