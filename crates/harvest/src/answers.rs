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
    let redirects = visited
        .hops
        .iter()
        .filter_map(|hop| hop.exchange.as_deref());
    let mut exchanges: Vec<(String, HttpExchange)> = redirects.cloned().map(own).collect();
    if !matches!(visited.status, 200..=299 | 304) {
        let last = take_exchange(&mut visited.clone());
        exchanges.push((visited.url.to_string(), last));
    }
    let answers = ReceivedAnswers {
        at,
        url: visited.requested.to_string(),
        final_url: visited.url.to_string(),
        exchanges,
    };
    (!answers.exchanges.is_empty()).then(|| ArchiveChange::Received(Box::new(answers)))
}

/// The answer to a request for robots.txt.
pub(crate) fn robots_answer(exchange: Exchange, at: DateTime<Utc>) -> ArchiveChange {
    let (url, exchange) = own(exchange);
    ArchiveChange::Received(Box::new(ReceivedAnswers {
        at,
        final_url: url.clone(),
        exchanges: vec![(url.clone(), exchange)],
        url,
    }))
}

fn own(exchange: Exchange) -> (String, HttpExchange) {
    let answer = HttpExchange {
        request_head: exchange.request_head,
        response_head: exchange.response_head,
        body: exchange.body,
        address: exchange.address,
        truncated: exchange.truncated.map(Truncation::name),
    };
    (exchange.url.into(), answer)
}
