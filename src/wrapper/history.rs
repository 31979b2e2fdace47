//! A site that is learned again, and a site that has a second feed.

use super::{Expect, Retired, Wrapper};

/// On which side of the known templates those of another feed are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Before them: the known ones select something on the new pages as well.
    Front,
    /// After them.
    Behind,
}

impl Wrapper {
    /// Whether this wrapper says what `old` says: it may only have been learned
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
        keep(&mut self.next_page, &old.next_page);
        keep(&mut self.single_page, &old.single_page);
        keep(&mut self.foreign, &old.foreign);
        self
    }

    /// This wrapper in place of `old`, which goes to the head of the history with
    /// `until`, RFC 3339, unless its expressions are the same. Where this wrapper has
    /// no feed, replacements, headers, links to other pages or lines of another
    /// program, those of `old` stay.
    ///
    /// ```
    /// use forest::wrapper::{Template, Wrapper};
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
        let retired = Retired {
            learned: old.learned,
            until: until.to_owned(),
            body: old.templates.into_iter().flat_map(|t| t.body).collect(),
        };
        let bodies = new.templates.iter().flat_map(|t| &t.body);
        let replaced = !bodies.eq(&retired.body);
        new.feed = new.feed.or(old.feed);
        new.history = replaced
            .then_some(retired)
            .into_iter()
            .chain(old.history)
            .collect();
        new
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
            match known.templates.iter_mut().find(|t| t.body == template.body) {
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

fn widened(a: &Expect, b: &Expect) -> Expect {
    Expect {
        words: [a.words[0].min(b.words[0]), a.words[1].max(b.words[1])],
        link_quota: [
            a.link_quota[0].min(b.link_quota[0]),
            a.link_quota[1].max(b.link_quota[1]),
        ],
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

    #[test]
    fn what_no_sample_shows_stays_unless_it_is_said_anew() {
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
