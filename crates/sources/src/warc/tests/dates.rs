use super::*;

/// The date of the only page of an archive, as it is read.
#[track_caller]
fn check_date(written: &str, expected: Option<&str>) {
    let fields = format!(
        "WARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: {written}\r\n\
         Content-Type: application/http"
    );
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{PAGE}");
    let warc = record(&fields, block.as_bytes());
    let pages: Vec<_> = WarcReader::new(warc.as_slice()).expect("a WARC").collect();
    let [Ok(page)] = &pages[..] else {
        panic!("{pages:?}")
    };
    let date = page.date.map(|date| date.to_rfc3339());
    assert_eq!(date.as_deref(), expected, "{written}");
}

#[test]
fn dates_with_less_and_with_more_than_seconds() {
    check_date("2016-01-11T23:24:25Z", Some("2016-01-11T23:24:25+00:00"));
    check_date(
        "2016-01-11T23:24:25.412030Z",
        Some("2016-01-11T23:24:25.412030+00:00"),
    );
    check_date("2016-01-11T23:24Z", Some("2016-01-11T23:24:00+00:00"));
    check_date("2016-01-11T23Z", Some("2016-01-11T23:00:00+00:00"));
    check_date("2016-01-11", Some("2016-01-11T00:00:00+00:00"));
    check_date("2016-01", Some("2016-01-01T00:00:00+00:00"));
    check_date("2016", Some("2016-01-01T00:00:00+00:00"));
    check_date("2016-01-11T23:24:25", Some("2016-01-11T23:24:25+00:00"));
    check_date(
        "2016-01-11T23:24:25+02:00",
        Some("2016-01-11T23:24:25+02:00"),
    );
    check_date("20160111232425", Some("2016-01-11T23:24:25+00:00"));
}

#[test]
fn no_dates() {
    for written in [
        "",
        "yesterday",
        "2016-13",
        "2016-01-11T99:24Z",
        "20161",
        "2016-01-11Tx\u{e9}",
    ] {
        check_date(written, None);
    }
}
