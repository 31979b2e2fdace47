//! Answers as an archive keeps them: those of pages, feeds and requisites, and the others,
//! redirects, failures and robots.txt.

use chrono::{DateTime, Utc};
use forest_archive::{ArchiveChange, HttpExchange, ReceivedAnswers};
use forest_fetch::{Exchange, Truncation, Visited};
use std::mem::take;

/// Takes the request and the answer out of a visit.
pub(crate) fn take_exchange(visited: &mut Visited) -> HttpExchange {
    HttpExchange {
        request_head: take(&mut visited.request_head),
        response_head: take(&mut visited.response_head),
        body: take(&mut visited.body),
        address: visited.address,
        truncated: visited.truncated.map(Truncation::name),
    }
}

/// The answers of a visit that are stored as nothing else: its redirects and its failure. `None`:
/// there are none.
pub(crate) fn other_answers(visited: &Visited, at: DateTime<Utc>) -> Option<ArchiveChange> {
    let redirects = visited.hops.iter();
    let redirects = redirects.filter_map(|hop| hop.exchange.as_deref());
    let mut exchanges: Vec<(String, HttpExchange)> = redirects.map(own).collect();
    if !matches!(visited.status, 200..=299 | 304) {
        let last = take_exchange(&mut visited.clone());
        exchanges.push((visited.url.to_string(), last));
    }
    let (url, final_url) = (visited.requested.as_str(), visited.url.as_str());
    received((url, final_url), at, exchanges)
}

/// The redirects of a visit that led to no answer.
pub(crate) fn answers_before(
    error: &forest_fetch::Error,
    at: DateTime<Utc>,
) -> Option<ArchiveChange> {
    let failure = error.fetch_failure()?;
    let final_url = failure.at().unwrap_or(failure.url());
    let exchanges = failure.redirects().iter().map(own).collect();
    received((failure.url(), final_url), at, exchanges)
}

/// The answer to a request for robots.txt.
pub(crate) fn robots_answer(exchange: &Exchange, at: DateTime<Utc>) -> Option<ArchiveChange> {
    let url = exchange.url.as_str();
    received((url, url), at, vec![own(exchange)])
}

fn received(
    (url, final_url): (&str, &str),
    at: DateTime<Utc>,
    exchanges: Vec<(String, HttpExchange)>,
) -> Option<ArchiveChange> {
    let answers = ReceivedAnswers {
        at,
        url: url.to_owned(),
        final_url: final_url.to_owned(),
        exchanges,
    };
    (!answers.exchanges.is_empty()).then(|| ArchiveChange::Received(Box::new(answers)))
}

fn own(exchange: &Exchange) -> (String, HttpExchange) {
    let answer = HttpExchange {
        request_head: exchange.request_head.clone(),
        response_head: exchange.response_head.clone(),
        body: exchange.body.clone(),
        address: exchange.address,
        truncated: exchange.truncated.map(Truncation::name),
    };
    (exchange.url.to_string(), answer)
}
