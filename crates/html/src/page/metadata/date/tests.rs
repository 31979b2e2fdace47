use super::order::DateStyle;
use super::*;
use proptest::prelude::*;

fn check(raw: &str, expected: &str) {
    assert_eq!(
        Date::read(raw).rfc3339.as_deref().unwrap_or("-"),
        expected,
        "{raw}"
    );
}

#[test]
fn iso_in_all_its_forms() {
    check("2024-03-05T10:30:59+02:00", "2024-03-05T10:30:59+02:00");
    check("2024-03-05T10:30:59.120Z", "2024-03-05T10:30:59.120Z");
    check(
        "2024-03-05T10:30:59.1234567-0800",
        "2024-03-05T10:30:59.123456700-08:00",
    );
    check("2024-03-05 10:30:59 +0200", "2024-03-05T10:30:59+02:00");
    check("2024-03-05T10:30", "2024-03-05T10:30:00Z");
    check("2024-03-05T10:30+02", "2024-03-05T10:30:00+02:00");
    check("20240305T103059Z", "2024-03-05T10:30:59Z");
    check("2024/3/5 9:05", "2024-03-05T09:05:00Z");
    check("2018年05月03日 10:20", "2018-05-03T10:20:00Z");
    check("2018-05-03 10:20:00 UTC", "2018-05-03T10:20:00Z");
}

#[test]
fn a_date_alone_is_its_midnight() {
    check("2024-03-05", "2024-03-05T00:00:00Z");
    check("20240305", "2024-03-05T00:00:00Z");
    check("05.03.2024", "2024-03-05T00:00:00Z");
    check("March 5th, 2024", "2024-03-05T00:00:00Z");
}

#[test]
fn forms_with_month_names() {
    check("Fri, 31 Jul 2020 13:50:14 GMT", "2020-07-31T13:50:14Z");
    check("31 Jul 2020 13:50 -0430", "2020-07-31T13:50:00-04:30");
    check("Tue Mar 05 10:20:30 PST 2024", "2024-03-05T10:20:30-08:00");
    check(
        "Sept. 5, 2024 at 12:30 a.m. EST",
        "2024-09-05T00:30:00-05:00",
    );
    check(
        "Tue Mar 05 2024 10:20:30 GMT+0100 (CET)",
        "2024-03-05T10:20:30+01:00",
    );
}

#[test]
fn forms_of_other_languages() {
    let check = |raw: &str, language: Language, expected: &str| {
        let read = Date::read_in(raw, language).rfc3339;
        assert_eq!(read.as_deref().map(|d| &d[..10]), Some(expected), "{raw}");
    };
    for (raw, language) in [
        ("2013年5月6日", Language::Chinese),
        ("5月6日 2013", Language::Japanese),
        ("5 月 6 日 2013 年", Language::Chinese),
        ("2013 年 5 月 6 日", Language::Chinese),
        ("5월 6일 2013", Language::Korean),
        ("2013년 5월 6일 월요일", Language::Korean),
        ("2013. 5. 6.", Language::Korean),
        ("6 tháng 5, 2013", Language::Vietnamese),
        ("Tháng Năm 6, 2013", Language::Vietnamese),
        ("lundi 6 mai 2013", Language::French),
        ("2013. május 6.", Language::Hungarian),
        ("6 במאי 2013", Language::Hebrew),
        ("6 พฤษภาคม 2556", Language::Thai),
        ("6 मई 2013", Language::Hindi),
        ("6 toukokuuta 2013", Language::Finnish),
        ("6. svibnja 2013.", Language::Croatian),
        ("6 травня 2013, 10:20", Language::Ukrainian),
        ("Δευτέρα, 6 Μαΐου 2013", Language::Greek),
    ] {
        check(raw, language, "2013-05-06");
    }
    check("6 tháng mười một 2013", Language::Vietnamese, "2013-11-06");
    check("5 अप्रैल 2013", Language::Hindi, "2013-04-05");
    check("mar. 5 avr. 2013", Language::French, "2013-04-05");
    check("6 listopada 2013", Language::Croatian, "2013-10-06");
    check("6 listopada 2013", Language::Polish, "2013-11-06");
}

#[test]
fn words_around_a_date() {
    check("Posted by: Bob on March 5, 2024", "2024-03-05T00:00:00Z");
    check(
        "Posted by Ross at February  4, 2009 08:23 AM",
        "2009-02-04T08:23:00Z",
    );
    check("Stand 05.03.2024, 10:20 Uhr", "2024-03-05T10:20:00Z");
    check("Dec 5, 2013 | updated Jan 6, 2014", "2013-12-05T00:00:00Z");
}

#[test]
fn days_above_twelve_tell_the_order() {
    check("25/03/2024", "2024-03-25T00:00:00Z");
    check("03/25/2024", "2024-03-25T00:00:00Z");
    check("25-03-2024", "2024-03-25T00:00:00Z");
    check("05/03/2024", "-");
}

#[test]
fn a_format_finds_its_date_among_words() {
    let check = |raw: &str, format: &str, expected: Option<&str>| {
        let read = Date::read_as(raw, format).rfc3339;
        assert_eq!(read.as_deref(), expected, "{raw} {format}");
    };
    let day = Some("2013-06-05T00:00:00Z");
    check("Le 05/06/2013 à Lyon", "%d/%m/%Y", day);
    check("05.06.13", "%d.%m.%y", day);
    check("05.06.2013", "%d.%m.%y", None);
    let timed = Some("2013-06-05T10:20:00+02:00");
    check("05/06/2013, 10:20 CEST", "%d/%m/%Y", timed);
    check("05/06/2013 by Jane Doe, 10 comments", "%d/%m/%Y", day);
    check("05/06/0013", "%d/%m/%Y", None);
}

#[test]
fn what_follows_a_date_and_is_no_time() {
    for (raw, day) in [
        ("2024-03-05 – updated 2024-03-06", "2024-03-05"),
        ("2024-03-05 – updated 2024-03-06 10:30", "2024-03-05"),
        ("2024-03-05 2024-03-06", "2024-03-05"),
        ("2024-03-05 (1200 words)", "2024-03-05"),
        ("2024-03-05 1200 words", "2024-03-05"),
        ("05.03.2024 (1200 Wörter)", "2024-03-05"),
        ("05.03.2024 (aktualisiert 06.03.2024)", "2024-03-05"),
        ("05.03.2024, aktualisiert am 06.03.24", "2024-03-05"),
        ("2024年3月5日 1200字", "2024-03-05"),
        ("March 5, 2024 (1200 words)", "2024-03-05"),
        ("March 5, 2024, updated March 6, 2024 10:30", "2024-03-05"),
    ] {
        check(raw, &format!("{day}T00:00:00Z"));
    }
    check("2024-03-05 1030", "2024-03-05T10:30:00Z");
    check("2024-03-05T1030+0200", "2024-03-05T10:30:00+02:00");
    check("05.03.2024 um 10.30 Uhr", "2024-03-05T10:30:00Z");
    check("05.03.2024 – 18:00-20:00", "2024-03-05T18:00:00Z");
}

#[test]
fn unix_times() {
    check("1583422000", "2020-03-05T15:26:40Z");
    check("1583422000123", "2020-03-05T15:26:40.123Z");
    for name in ["123456789", "9876543210", "9780306406157", "0123456789"] {
        check(name, "-");
    }
}

#[test]
fn what_is_no_date_stays_raw() {
    for raw in [
        "",
        "yesterday",
        "03/05/2024",
        "0001-01-01T00:00:00",
        "2024-13-05",
        "5 March",
        "12345",
        "99999999999999999999",
    ] {
        check(raw, "-");
    }
    assert_eq!(Date::read(" last \n week").raw, "last week");
}

proptest! {
    #[test]
    fn anything_is_read_without_panic(raw in "\\PC{0,40}") {
        Date::read(&raw);
    }

    #[test]
    fn what_is_written_is_read_again(raw in "(19|20)[0-9]{2}-(0[1-9]|1[0-2])-[0-3][0-9]T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,9})?)?(Z|[+-][01][0-9]:?[0-5][0-9])?") {
        if let Some(once) = Date::read(&raw).rfc3339 {
            prop_assert_eq!(Date::read(&once).rfc3339, Some(once));
        }
    }
}

#[track_caller]
fn check_in(raw: &str, tag: &str, expected: &str) {
    let style = DateStyle::of(Some(tag), None);
    let read = Date::read_in(raw, style).rfc3339;
    let read = read.as_deref().unwrap_or("-");
    assert_eq!(read.get(..expected.len()), Some(expected), "{raw} ({tag})");
}

#[test]
fn two_digits_of_a_year() {
    check_in("14.07.23", "de", "2023-07-14");
    check_in("von Jane Doe, 8.5.12", "de-CH", "2012-05-08");
    check_in("Party, 30.10.23", "de-de", "2023-10-30");
    check_in("05/06/98", "it", "1998-06-05");
    check_in("12/31/23", "en-US", "2023-12-31");
    check_in("23.06.05 15:20", "ko", "2023-06-05T15:20");
    check_in("05-Jun-23", "en", "2023-06-05");
    check_in("5 juin '23", "fr", "2023-06-05");
    // A version, an address, a price, and nobody knows the order.
    check_in("10.1.10.5", "de", "-");
    check_in("8.5.125", "de", "-");
    check_in("14.07.23", "und", "-");
    check_in("05/06/23", "en", "-");
    check_in("23-06-05", "de", "-");
}

#[test]
fn the_order_of_day_and_month_is_the_language_s_or_the_country_s() {
    let day = |raw: &str, tag: Option<&str>, url: &str| {
        let read = Date::read_in(raw, DateStyle::of(tag, Some(url))).rfc3339;
        read.map_or("-".to_owned(), |read| read[..10].to_owned())
    };
    check_in("Publié le 05/06/2023 à 18h30", "fr", "2023-06-05T18:30");
    check_in("05/06/2023", "pt-br", "2023-06-05");
    check_in("05-06-2023 10:29", "de", "2023-06-05T10:29");
    check_in("Thứ hai, 5/6/2023", "vi", "2023-06-05");
    check_in("06/05/2023", "en-US", "2023-06-05");
    check_in("05/06/2023", "en_GB", "2023-06-05");
    check_in("05/06/2023", "en", "-");
    check_in("05/06/2023", "zh", "-");
    // A day above twelve says it, whatever the language.
    check_in("06/15/2023", "fr", "2023-06-15");
    let (raw, plain) = ("05/06/2023", "https://paper.example/");
    assert_eq!(day(raw, None, "https://paper.co.uk/a"), "2023-06-05");
    assert_eq!(day(raw, Some("en-US"), "https://paper.ie/a"), "2023-06-05");
    assert_eq!(day(raw, None, "https://office.gov/a"), "2023-05-06");
    assert_eq!(day(raw, None, plain), "-");
    assert_eq!(day(raw, Some("pl"), plain), "2023-06-05");
    let of_program = DateStyle::of(Some("de"), None).without_order();
    assert_eq!(Date::read_in(raw, of_program).rfc3339, None);
}

#[test]
fn digits_of_other_scripts() {
    check_in("٥ يونيو ٢٠٢٣", "ar", "2023-06-05");
    check_in("৫ জুন ২০২৩", "bn", "2023-06-05");
    check_in("५ जून २०२३", "hi", "2023-06-05");
    check_in("๕ มิถุนายน ๒๕๖๖", "th", "2023-06-05");
    check_in("２０２３年６月５日　１５：２０", "ja", "2023-06-05T15:20");
    check_in("۵ ژوئن ۲۰۲۳", "fa", "2023-06-05");
}

#[test]
fn times_of_day_in_other_languages() {
    for (raw, tag) in [
        ("2023.06.05 오후 3:20", "ko"),
        ("2023년 6월 5일 오후 3시 20분", "ko"),
        ("2023年6月5日 午後3時20分", "ja"),
        ("2023年06月05日 15時20分", "ja"),
        ("2023年6月5日 下午3:20", "zh"),
        ("2023-06-05 下午3点20分", "zh"),
        ("5. kesäkuuta 2023 klo 15.20", "fi"),
        ("5.6.2023 klo 15.20", "fi"),
        ("5 juni 2023 kl. 15.20", "sv"),
        ("5 de junho de 2023 às 15h20", "pt"),
        ("5 juin 2023 à 15 h 20", "fr"),
        ("05/06/2023 03:20 CH", "vi"),
        ("5 Ιουνίου 2023, 3:20 μ.μ.", "el"),
        ("5 de junio de 2023, 3:20 p. m.", "es"),
        ("5 يونيو 2023 3:20 مساءً", "ar"),
    ] {
        check_in(raw, tag, "2023-06-05T15:20");
    }
    check_in("2023.06.05 오전 12:20", "ko", "2023-06-05T00:20");
    check_in("2023年6月5日 午前9時", "ja", "2023-06-05T09:00");
    check_in("June 5, 2023 at 3 pm", "en", "2023-06-05T15:00");
    check_in("June 5, 2023 3 p.m.", "en", "2023-06-05T15:00");
    check_in("5. Juni 2023 um 15 Uhr", "de", "2023-06-05T15:00");
    check_in("5 juin 2023 à 15h", "fr", "2023-06-05T15:00");
    // Numbers behind a date that are no hours.
    check_in("5 June 2023, 3 comments", "en", "2023-06-05T00:00");
    check_in("5 June 2023, 3 pm2 users", "en", "2023-06-05T00:00");
    check_in("5. Juni 2023, 4.50 Euro teurer: 25.50", "de", "2023-06-05");
}

#[test]
fn zones_by_name() {
    check_in(
        "Senin, 05 Jun 2023 15:20 WIB",
        "id",
        "2023-06-05T15:20:00+07:00",
    );
    check_in("5 June 2023 3:20pm AEST", "en", "2023-06-05T15:20:00+10:00");
    check_in("5 June 2023 3:20pm ACST", "en", "2023-06-05T15:20:00+09:30");
    check_in(
        "5. Juni 2023, 15.20 Uhr (MESZ)",
        "de",
        "2023-06-05T15:20:00+02:00",
    );
    check_in("2023-06-05 15:20 KST", "ko", "2023-06-05T15:20:00+09:00");
    check_in("5 June 2023 15:20 SAST", "en", "2023-06-05T15:20:00+02:00");
}

#[test]
fn the_day_is_the_number_beside_the_month() {
    check_in("12 Comments, 5 June 2023", "en", "2023-06-05");
    check_in("Jane Doe, 3 min, June 5, 2023", "en", "2023-06-05");
    check_in("No. 7 of the series, 5. Juni 2023", "de", "2023-06-05");
    check_in("lunes 5 de junio de 2023", "es", "2023-06-05");
    check_in("the 5th of June 2023", "en", "2023-06-05");
}

#[test]
fn years_of_the_persian_calendar() {
    check_in("۱۵ خرداد ۱۴۰۲", "fa", "2023-06-05");
    check_in("دوشنبه ۱۵ خرداد ۱۴۰۲ - ۱۰:۳۰", "fa", "2023-06-05");
    check_in("۱۴۰۲/۰۷/۱۶", "fa-IR", "2023-10-08");
    check_in("۱۴۰۲/۰۷/۱۶ ۰۹:۱۵", "", "2023-10-08");
    check_in("1402/07/16", "fa", "2023-10-08");
    check_in("تاریخ انتشار: ۱ فروردین ۱۴۰۳", "fa", "2024-03-20");
    check_in("30 اسفند 1403", "fa", "2025-03-20");
    check_in("۱۶-۰۷-۱۴۰۲", "fa", "2023-10-08");
    check_in("۱۳ سنبله ۱۳۹۹", "fa-AF", "2020-09-03");
    check_in("شنبه 25 آذر 1396 ساعت 12:05", "fa", "2017-12-16");
    check_in("۳۰ اسفند ۱۴۰۲", "fa", "-");
    // Years of other pages, and of the Gregorian calendar.
    check_in("1402/07/16", "en", "-");
    check_in("5 March 1402", "en", "-");
    check_in("۱۵ ژوئن ۲۰۲۳", "fa", "2023-06-15");
    check_in("١٤٤٥/٠٩/١٥", "ar", "-");
}

#[test]
fn years_of_thailand() {
    check_in("5 มีนาคม 2567", "th", "2024-03-05");
    check_in("๕ มีนาคม พ.ศ. ๒๕๖๗", "th", "2024-03-05");
    check_in("5/03/2567 10:20", "th", "2024-03-05");
    check_in("2567-03-05", "th", "2024-03-05");
    check_in("5 March 2567", "en", "2024-03-05");
    check_in("29/02/2567", "th", "2024-02-29");
    check_in("2700-03-05", "en", "2157-03-05");
}

#[test]
fn eras_of_japan() {
    check_in("令和6年3月5日", "ja", "2024-03-05");
    check_in("令和元年5月1日", "ja", "2019-05-01");
    check_in("公開日:令和 ６ 年 ３ 月 ５ 日", "ja", "2024-03-05");
    check_in("平成31年4月30日(火) 10:20", "ja", "2019-04-30");
    check_in("昭和64年1月7日", "ja", "1989-01-07");
    check_in("更新 令和6年3月5日", "", "2024-03-05");
    check_in("令和6年度予算", "ja", "-");
}

#[test]
fn years_of_the_republic_of_china() {
    check_in("民國113年3月5日", "zh-TW", "2024-03-05");
    check_in("中華民國 113 年 3 月 5 日", "zh-Hant", "2024-03-05");
    check_in("113年03月05日 10:20", "zh-TW", "2024-03-05");
    check_in("發布日期：113-03-05", "zh-TW", "2024-03-05");
    check_in("113/3/5", "zh-TW", "2024-03-05");
    check_in("113/3/5", "en", "-");
    check_in("113-03-05", "zh-CN", "2024-03-05");
    check_in("110-120-119", "zh-TW", "-");
}
