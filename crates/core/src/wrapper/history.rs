//! A site that is learned again, and a site that has a second feed.
//!
//! The history is a list of times: each [`Retired`] was active until its date, from the
//! date of the one after it in the list, and the wrapper itself since the first date of the
//! list. So it is known [which one was active](Wrapper::at) when a page was fetched, also
//! after one was [put back](Wrapper::rolled_back).

use super::{Expect, Label, LabelRole, Retired, Template, Wrapper};
use chrono::{DateTime, FixedOffset};

/// Retired wrappers that are kept at the most, the latest: a site that changes its design
/// every year for twenty years. One of ten pages has some 5 kB.
pub const MAX_RETIRED: usize = 20;

/// On which side of the known templates those of another feed are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Before them: the known ones select something on the new pages as well.
    Front,
    /// After them.
    Behind,
}

impl Wrapper {
    /// Returns true if this wrapper says what `old` says: it may only have been learned
    /// later, by another version.
    #[must_use]
    pub fn says_the_same(&self, old: &Wrapper) -> bool {
        let later = Wrapper {
            learned: old.learned.clone(),
            by: old.by.clone(),
            history: old.history.clone(),
            ..self.clone()
        };
        later.with_manners_of(old) == *old
    }

    /// This wrapper with what `old` says of the site and no sample shows: what is
    /// replaced, headers, links to other pages, lines of another program. What this
    /// wrapper says itself comes first.
    fn with_manners_of(mut self, old: &Wrapper) -> Wrapper {
        fn keep<T: Clone + Default + PartialEq>(own: &mut T, old: &T) {
            if *own == T::default() {
                own.clone_from(old);
            }
        }
        keep(&mut self.replace, &old.replace);
        keep(&mut self.headers, &old.headers);
        if !self.lacks_label_of(old) {
            keep(&mut self.next_page, &old.next_page);
        }
        keep(&mut self.single_page, &old.single_page);
        keep(&mut self.foreign, &old.foreign);
        self
    }

    /// Returns true if a label made the link to the next page of `old`, and this wrapper no
    /// longer has the label.
    fn lacks_label_of(&self, old: &Wrapper) -> bool {
        let is_of_it =
            |label: &&Label| label.role == LabelRole::NextPage && label.expression == old.next_page;
        let mut of_old = old.labels.iter().filter(is_of_it);
        of_old.any(|label| !self.labels.contains(label))
    }

    /// This wrapper in place of `old`, which goes to the head of the history with
    /// `until`, RFC 3339, unless its expressions are the same. Where this wrapper has
    /// no feed, replacements, headers, links to other pages or lines of another
    /// program, those of `old` stay.
    ///
    /// ```
    /// use forest_core::wrapper::{Template, Wrapper};
    ///
    /// let with = |body: &str| Wrapper {
    ///     templates: vec![Template { body: vec![body.to_owned()], ..Template::default() }],
    ///     ..Wrapper::default()
    /// };
    /// let new = with("//article").succeed(with("//div"), "2026-01-02T03:04:05Z");
    /// assert_eq!(new.templates[0].body, ["//article"]);
    /// assert_eq!(new.history[0].body, ["//div"]);
    /// ```
    #[must_use]
    pub fn succeed(self, old: Wrapper, until: &str) -> Wrapper {
        let mut new = self.with_manners_of(&old);
        new.feed = new.feed.or_else(|| old.feed.clone());
        new.in_place_of(old, until)
    }

    /// This wrapper as it is in place of `old`, which goes to the head of the history with
    /// `until`, RFC 3339, unless its expressions are the same.
    #[must_use]
    pub fn in_place_of(mut self, old: Wrapper, until: &str) -> Wrapper {
        let replaced = !same_expressions(&self.templates, &old.templates);
        self.history = if replaced {
            old.retired(until)
        } else {
            old.history
        };
        self
    }

    /// The history with this wrapper at its head, active until `until`.
    fn retired(mut self, until: &str) -> Vec<Retired> {
        let earlier = std::mem::take(&mut self.history);
        let bodies = self.templates.iter().flat_map(|t| &t.body);
        let retired = Retired {
            learned: self.learned.clone(),
            until: until.to_owned(),
            body: bodies.cloned().collect(),
            wrapper: Some(Box::new(self)),
        };
        let all = std::iter::once(retired).chain(earlier);
        all.take(MAX_RETIRED).collect()
    }

    /// The earlier wrapper that was active at a time; `None` where that is this one. What
    /// was fetched before the oldest was learned belongs to the oldest.
    ///
    /// ```
    /// use chrono::DateTime;
    /// use forest_core::wrapper::Wrapper;
    ///
    /// let yaml = "format: 1\nsite: a.example\ntemplates:\n- body: [//article]\n\
    ///             history:\n- until: 2026-02-01T00:00:00Z\n  body: [//div]\n";
    /// let wrapper = Wrapper::from_yaml(yaml)?.wrapper;
    /// let at = |date: &str| wrapper.at(DateTime::parse_from_rfc3339(date).expect("a date"));
    /// assert_eq!(at("2026-01-31T10:00:00Z").map(|old| &*old.body[0]), Some("//div"));
    /// assert_eq!(at("2026-02-01T00:00:00Z"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at(&self, date: DateTime<FixedOffset>) -> Option<&Retired> {
        let is_active = |old: &&Retired| {
            let until = DateTime::parse_from_rfc3339(&old.until);
            until.is_ok_and(|until| date < until)
        };
        self.history.iter().rev().find(is_active)
    }

    /// The retired wrapper `old` of the history active again, and this one in the history
    /// until `until`, RFC 3339. `old` stays in the history as well: it was active then.
    #[must_use]
    pub fn rolled_back(self, old: &Retired, until: &str) -> Wrapper {
        let mut back = old.restored(&self);
        back.history = self.retired(until);
        back
    }

    /// `known` with the templates of this wrapper, which was learned from another
    /// feed of the same site. A template that is known already only gains the
    /// pages. What else `known` says stays; what a normal page looks like widens.
    #[must_use]
    pub fn join(mut self, mut known: Wrapper, side: Side) -> Wrapper {
        known.number_pages(|at| at);
        let mut places = Vec::new();
        for page in &self.sample {
            let known_at = known.sample.iter().position(|p| p.url == page.url);
            places.push(known_at.unwrap_or_else(|| {
                known.sample.push(page.clone());
                known.sample.len() - 1
            }));
        }
        self.number_pages(|at| places[at]);
        let mut new = Vec::new();
        for template in self.templates {
            match known
                .templates
                .iter_mut()
                .find(|t| t.is_same_layout(&template))
            {
                Some(same) => {
                    same.pages += template.pages;
                    if let (Some(known), Some(more)) = (&mut same.evidence, template.evidence) {
                        known.pages.extend(more.pages);
                        known.pages.sort_unstable();
                        known.pages.dedup();
                    }
                }
                None => new.push(template),
            }
        }
        match side {
            Side::Front => {
                new.append(&mut known.templates);
                known.templates = new;
            }
            Side::Behind => known.templates.append(&mut new),
        }
        for test in self.tests {
            if !known.tests.contains(&test) {
                known.tests.push(test);
            }
        }
        known.expect = match (known.expect, self.expect) {
            (Some(a), Some(b)) => Some(widened(&a, &b)),
            (a, b) => a.or(b),
        };
        known.next_page = known.next_page.or(self.next_page);
        known.single_page = known.single_page.or(self.single_page);
        known.learned = self.learned;
        known.by = self.by;
        known.feed = known.feed.or(self.feed);
        known
    }

    /// Says of each template which pages it carries, all of them too, by the place
    /// that `place` gives each page of the sample.
    fn number_pages(&mut self, place: impl Fn(usize) -> usize) {
        let sample = self.sample.len();
        for template in &mut self.templates {
            let Some(evidence) = &mut template.evidence else {
                continue;
            };
            if evidence.pages.is_empty() && template.pages == sample {
                evidence.pages = (0..sample).collect();
            }
            evidence.pages.retain(|&at| at < sample);
            evidence.pages.iter_mut().for_each(|at| *at = place(*at));
        }
    }
}

impl Template {
    /// True if it has the same body, for the same pages.
    pub fn is_same_layout(&self, other: &Template) -> bool {
        self.body == other.body && self.audience == other.audience
    }
}

impl Retired {
    /// The wrapper as it was, without a history. Where only its bodies were kept, they
    /// stand in one template, tried in order, and what no sample shows is that of
    /// `successor`.
    pub fn restored(&self, successor: &Wrapper) -> Wrapper {
        let mut back = match &self.wrapper {
            Some(wrapper) => (**wrapper).clone(),
            None => Wrapper {
                feed: successor.feed.clone(),
                learned: self.learned.clone(),
                templates: vec![Template {
                    body: self.body.clone(),
                    ..Template::default()
                }],
                ..Wrapper::default()
            }
            .with_manners_of(successor),
        };
        back.history.clear();
        back.site.clone_from(&successor.site);
        back
    }
}

/// Returns true if templates have the same expressions, whatever their strip rules expect and
/// whichever pages they are for.
fn same_expressions(a: &[Template], b: &[Template]) -> bool {
    let strips = |template: &Template| {
        let rules = template.strip.iter();
        rules.map(|rule| rule.xpath.clone().into()).collect()
    };
    let expressions = |template: &Template| Template {
        pages: 0,
        evidence: None,
        audience: None,
        strip: strips(template),
        ..template.clone()
    };
    a.iter().map(expressions).eq(b.iter().map(expressions))
}

fn widened(a: &Expect, b: &Expect) -> Expect {
    let both = |a: [f64; 2], b: [f64; 2]| [a[0].min(b[0]), a[1].max(b[1])];
    Expect {
        words: [a.words[0].min(b.words[0]), a.words[1].max(b.words[1])],
        link_quota: both(a.link_quota, b.link_quota),
        agreement: match (a.agreement, b.agreement) {
            (Some(a), Some(b)) => Some(both(a, b)),
            (a, b) => a.or(b),
        },
        kind: if a.kind == b.kind { a.kind } else { None },
        median: a.median.into_iter().chain(b.median).min(),
        tags: if a.tags.is_empty() {
            b.tags.clone()
        } else {
            a.tags.clone()
        },
        shared: a
            .shared
            .iter()
            .copied()
            .filter(|field| b.shared.contains(field))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wrapper::{Evidence, Replace, SampleRef, Template};
    use std::collections::BTreeMap;

    fn page(url: &str) -> SampleRef {
        SampleRef {
            url: url.to_owned(),
            sha256: String::new(),
            signifiers: "ferri boat".to_owned(),
        }
    }

    fn wrapper(feed: &str, bodies: &[&str], url: &str, words: [usize; 2]) -> Wrapper {
        Wrapper {
            site: "a.example".to_owned(),
            feed: (!feed.is_empty()).then(|| feed.to_owned()),
            learned: Some(format!("learned from {feed}")),
            sample: vec![page(url)],
            templates: bodies
                .iter()
                .map(|body| Template {
                    body: vec![(*body).to_owned()],
                    pages: 4,
                    ..Template::default()
                })
                .collect(),
            expect: Some(Expect {
                words,
                link_quota: [0.0, 0.1],
                ..Expect::default()
            }),
            ..Wrapper::default()
        }
    }

    #[test]
    fn the_same_expressions_do_not_succeed_themselves() {
        let old = wrapper("f", &["//div"], "1", [1, 2]);
        let new = Wrapper {
            learned: Some("later".to_owned()),
            ..old.clone()
        };
        assert!(new.says_the_same(&old));
        assert!(new.succeed(old.clone(), "now").history.is_empty());
        assert!(!wrapper("f", &["//p"], "1", [1, 2]).says_the_same(&old));
        assert!(!wrapper("f", &["//div"], "2", [1, 2]).says_the_same(&old));
    }

    fn bodies(wrapper: &Wrapper) -> Vec<&str> {
        let all = wrapper.templates.iter().flat_map(|t| &t.body);
        all.map(String::as_str).collect()
    }

    #[test]
    fn the_old_one_is_kept_with_its_time_the_latest_first() {
        let first = wrapper("f", &["//a"], "1", [1, 2]);
        let second = wrapper("f", &["//b", "//c"], "1", [1, 2]).succeed(first, "t1");
        let third = wrapper("", &["//d"], "1", [1, 2]).succeed(second, "t2");
        assert_eq!(bodies(&third), ["//d"]);
        assert_eq!(third.feed.as_deref(), Some("f"));
        let history: Vec<_> = third
            .history
            .iter()
            .map(|r| (r.until.as_str(), r.body.len()))
            .collect();
        assert_eq!(history, [("t2", 2), ("t1", 1)]);
        assert_eq!(third.history[0].learned.as_deref(), Some("learned from f"));
    }

    fn date(date: &str) -> DateTime<FixedOffset> {
        DateTime::parse_from_rfc3339(date).expect("a date")
    }

    /// Three wrappers, each a month active.
    fn three() -> Wrapper {
        let strips = |body: &str, strip: &str| {
            let mut wrapper = wrapper("f", &[body], "1", [1, 2]);
            wrapper.templates[0].strip = vec![strip.into()];
            wrapper
        };
        let second = strips("//b", "//i").succeed(strips("//a", "//h"), "2026-02-01T00:00:00Z");
        strips("//c", "//j").succeed(second, "2026-03-01T00:00:00Z")
    }

    #[test]
    fn what_was_active_is_known_for_every_day() {
        let wrapper = three();
        for (day, body) in [
            ("2020-01-01T00:00:00Z", Some("//a")),
            ("2026-01-31T23:59:59Z", Some("//a")),
            ("2026-02-01T00:00:00Z", Some("//b")),
            ("2026-03-01T00:30:00+01:00", Some("//b")),
            ("2026-03-01T00:00:00Z", None),
        ] {
            let found = wrapper.at(date(day)).map(|old| &*old.body[0]);
            assert_eq!(found, body, "{day}");
        }
    }

    #[test]
    fn a_wrapper_is_restored_whole_and_the_other_stays_in_the_history() {
        let wrapper = three();
        let old = wrapper.at(date("2026-01-01T00:00:00Z")).expect("the first");
        let back = wrapper.clone().rolled_back(old, "2026-04-01T00:00:00Z");
        assert_eq!(bodies(&back), ["//a"]);
        assert_eq!(back.templates[0].strip, ["//h".into()]);
        assert_eq!(back.expect.as_ref().map(|e| e.words), Some([1, 2]));
        let times: Vec<_> = back
            .history
            .iter()
            .map(|r| (&*r.body[0], &*r.until))
            .collect();
        assert_eq!(
            times,
            [
                ("//c", "2026-04-01T00:00:00Z"),
                ("//b", "2026-03-01T00:00:00Z"),
                ("//a", "2026-02-01T00:00:00Z")
            ]
        );
        // Back and forth is where it was, and the file says it all.
        let last = back.history[0].clone();
        let forth = back.clone().rolled_back(&last, "2026-05-01T00:00:00Z");
        assert_eq!(forth.templates, wrapper.templates);
        assert_eq!(
            forth.at(date("2026-04-02T00:00:00Z")).map(|r| &*r.body[0]),
            Some("//a")
        );
        let read = Wrapper::from_yaml(&forth.to_yaml()).expect("own yaml");
        assert_eq!((read.wrapper, read.edited), (forth, false));
    }

    #[test]
    fn the_history_is_bounded() {
        let mut latest = wrapper("f", &["//x"], "1", [1, 2]);
        for n in 0..MAX_RETIRED + 5 {
            let next = wrapper("f", &[&format!("//y{n}")], "1", [1, 2]);
            latest = next.succeed(latest, &format!("t{n}"));
        }
        let history = &latest.history;
        assert_eq!(history.len(), MAX_RETIRED);
        assert_eq!(history[0].until, format!("t{}", MAX_RETIRED + 4));
        assert!(
            history
                .iter()
                .all(|r| r.restored(&latest).history.is_empty())
        );
    }

    #[test]
    fn the_bodies_of_an_older_file_are_restored() {
        let mut wrapper = wrapper("f", &["//c"], "1", [1, 2]);
        wrapper.single_page = Some("//a".to_owned());
        let old = Retired {
            learned: Some("then".to_owned()),
            until: "2026-03-01T00:00:00Z".to_owned(),
            body: vec!["//a".to_owned(), "//b".to_owned()],
            wrapper: None,
        };
        let back = wrapper.clone().rolled_back(&old, "2026-04-01T00:00:00Z");
        assert_eq!(back.templates.len(), 1);
        assert_eq!(bodies(&back), ["//a", "//b"]);
        assert_eq!(
            (&back.site, &back.single_page),
            (&wrapper.site, &wrapper.single_page)
        );
        assert_eq!(back.learned.as_deref(), Some("then"));
    }

    #[test]
    fn other_strips_alone_make_another_wrapper() {
        let old = wrapper("f", &["//div"], "1", [1, 2]);
        let mut new = old.clone();
        new.templates[0].strip = vec!["//i".into()];
        new.templates[0].pages = 9;
        assert_eq!(new.succeed(old, "t").history.len(), 1);
    }

    #[test]
    fn what_no_sample_shows_stays_unless_it_is_set_anew() {
        let imported = Wrapper {
            next_page: Some("//a".to_owned()),
            single_page: Some("//b".to_owned()),
            replace: vec![Replace {
                find: "x".to_owned(),
                with: "y".to_owned(),
            }],
            headers: BTreeMap::from([("cookie".to_owned(), "a=b".to_owned())]),
            foreign: vec!["tidy: no".to_owned()],
            ..wrapper("f", &["//div"], "1", [1, 2])
        };
        let same = wrapper("f", &["//div"], "1", [1, 2]);
        assert!(same.says_the_same(&imported));
        let new = Wrapper {
            next_page: Some("//i".to_owned()),
            ..wrapper("f", &["//p"], "1", [1, 2])
        };
        assert!(!new.says_the_same(&imported));
        let new = new.succeed(imported.clone(), "t");
        assert_eq!(new.next_page.as_deref(), Some("//i"));
        assert_eq!(new.single_page, imported.single_page);
        assert_eq!(new.replace, imported.replace);
        assert_eq!(new.headers, imported.headers);
        assert_eq!(new.foreign, imported.foreign);
    }

    #[test]
    fn a_link_of_a_label_goes_with_it() {
        let label = Label {
            page: "https://a.example/1".to_owned(),
            node: "/html[1]/body[1]/a[1]".to_owned(),
            text: "Next".to_owned(),
            role: LabelRole::NextPage,
            expression: Some("//a".to_owned()),
        };
        let old = Wrapper {
            next_page: label.expression.clone(),
            labels: vec![label],
            ..wrapper("f", &["//div"], "/1", [1, 2])
        };
        let new = wrapper("f", &["//p"], "/2", [1, 2]);
        let with_label = Wrapper {
            labels: old.labels.clone(),
            ..new.clone()
        };
        let kept = with_label.succeed(old.clone(), "2026-01-01T00:00:00Z");
        assert_eq!(kept.next_page.as_deref(), Some("//a"));
        let gone = new.succeed(old, "2026-01-01T00:00:00Z");
        assert_eq!((gone.next_page, gone.labels), (None, Vec::new()));
    }

    #[test]
    fn another_feed_adds_its_templates() {
        let check = |side, expected: &[&str]| {
            let known = wrapper("f", &["//a", "//b"], "1", [10, 20]);
            let joined = wrapper("g", &["//b", "//c"], "2", [5, 15]).join(known, side);
            assert_eq!(bodies(&joined), expected);
            joined
        };
        check(Side::Front, &["//c", "//a", "//b"]);
        let joined = check(Side::Behind, &["//a", "//b", "//c"]);
        let link = |wrapper: Wrapper, link: &str| Wrapper {
            next_page: Some(link.to_owned()),
            ..wrapper
        };
        let new = || wrapper("g", &["//c"], "2", [5, 15]);
        let known = || wrapper("f", &["//a"], "1", [10, 20]);
        let both = link(new(), "//new").join(link(known(), "//known"), Side::Front);
        assert_eq!(both.next_page.as_deref(), Some("//known"));
        let one = link(new(), "//new").join(known(), Side::Front);
        assert_eq!(one.next_page.as_deref(), Some("//new"));
        assert_eq!(joined.templates[1].pages, 8);
        assert_eq!(joined.feed.as_deref(), Some("f"));
        assert_eq!(joined.sample.len(), 2);
        assert_eq!(joined.expect.map(|e| e.words), Some([5, 20]));
        let of = |agreement| Expect {
            agreement,
            ..Expect::default()
        };
        let widened = |a, b| widened(&of(a), &of(b)).agreement;
        let (one, other) = (Some([0.1, 0.3]), Some([0.2, 0.4]));
        assert_eq!(widened(one, other), Some([0.1, 0.4]));
        assert_eq!((widened(None, one), widened(None, None)), (one, None));
        assert!(joined.history.is_empty());
    }

    #[test]
    fn pages_that_templates_carry_keep_their_place() {
        let learned = |body: &str, urls: &[&str], pages: &[usize]| {
            let mut wrapper = wrapper("f", &[body], "", [1, 2]);
            wrapper.sample = urls.iter().map(|url| page(url)).collect();
            wrapper.templates[0].evidence = Some(Evidence {
                pages: pages.to_vec(),
                ..Evidence::default()
            });
            wrapper.templates[0].pages = match pages {
                [] => urls.len(),
                some => some.len(),
            };
            wrapper
        };
        let check = |new: Wrapper, known: Wrapper, expected: &[&[usize]]| {
            let joined = new.join(known, Side::Behind);
            let carried = joined.templates.iter().flat_map(|t| &t.evidence);
            let carried: Vec<&[usize]> = carried.map(|e| &e.pages[..]).collect();
            assert_eq!(carried, expected);
        };
        // All pages of either, one of which both samples have.
        check(
            learned("//b", &["2", "1"], &[]),
            learned("//a", &["0", "1"], &[]),
            &[&[0, 1], &[2, 1]],
        );
        check(
            learned("//a", &["2", "1"], &[0]),
            learned("//a", &["0", "1"], &[1]),
            &[&[1, 2]],
        );
        // A file of somebody who counts otherwise.
        check(
            learned("//b", &["2"], &[5]),
            learned("//a", &["0"], &[9]),
            &[&[], &[]],
        );
    }
}
