//! A name server of tests.

use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Answers of a name server, one for each question; the last one stays. One
/// address of this machine plays the public one.
#[derive(Debug, Clone)]
pub(super) struct DnsScript {
    pub(super) public: IpAddr,
    pub(super) answers: Arc<Mutex<VecDeque<Vec<IpAddr>>>>,
    pub(super) questions: Arc<AtomicUsize>,
}

impl DnsScript {
    pub(super) fn answer(&self) -> Vec<SocketAddr> {
        self.questions.fetch_add(1, Ordering::SeqCst);
        let mut answers = self.answers.lock().expect("no panic");
        let answer = match answers.len() {
            1 => answers[0].clone(),
            _ => answers.pop_front().expect("one stays"),
        };
        answer.into_iter().map(|ip| (ip, 0).into()).collect()
    }
}
