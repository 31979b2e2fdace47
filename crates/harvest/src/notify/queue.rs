//! The queue of one recipient, and the delivery of its notices.

use super::notice::Notice;
use forest_html::error::counted;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The delivery of one recipient's notices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delivery {
    /// The recipient, without credentials.
    pub to: String,
    /// Notices that arrived.
    pub sent: u64,
    /// Notices that were given up after the last attempt.
    pub failed: u64,
    /// Notices that were dropped because too many waited.
    pub dropped: u64,
    /// Notices that waited still when the time was over.
    pub left: u64,
    /// The reason why the last one failed.
    pub why: Option<String>,
}

impl Delivery {
    /// Returns true if all arrived.
    pub fn is_whole(&self) -> bool {
        self.missing() == 0
    }

    fn missing(&self) -> u64 {
        self.failed + self.dropped + self.left
    }
}

impl std::fmt::Display for Delivery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let missing = self.missing();
        let all = counted(missing + self.sent, "notification", "notifications");
        write!(f, "{}: {missing} of {all} did not arrive", self.to)?;
        let parts = [
            (self.failed, "failed"),
            (self.dropped, "dropped, since too many waited"),
            (self.left, "left when the harvest ended"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts
            .map(|(count, label)| format!("{count} {label}"))
            .collect();
        if !parts.is_empty() {
            write!(f, " ({})", parts.join("; "))?;
        }
        match &self.why {
            Some(why) => write!(f, ": {why}"),
            None => Ok(()),
        }
    }
}

/// The notices that wait for one recipient.
#[derive(Debug)]
pub(super) struct NoticeQueue {
    to: String,
    most: usize,
    state: Mutex<QueueState>,
    wake: Condvar,
}

#[derive(Debug, Default)]
pub(super) struct QueueState {
    waiting: VecDeque<Arc<Notice>>,
    /// One is being sent.
    is_sending: bool,
    /// No more come.
    pub is_closing: bool,
    /// The notices that wait are not to be sent any more.
    pub is_over: bool,
    sent: u64,
    failed: u64,
    dropped: u64,
    why: Option<String>,
}

impl NoticeQueue {
    pub fn new(to: String, most: usize) -> NoticeQueue {
        NoticeQueue {
            to,
            most,
            state: Mutex::default(),
            wake: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn change(&self, change: impl FnOnce(&mut QueueState)) {
        change(&mut self.lock());
        self.wake.notify_all();
    }

    pub fn add(&self, notice: Arc<Notice>) {
        self.change(|state| {
            state.waiting.push_back(notice);
            if state.waiting.len() > self.most {
                state.waiting.pop_front();
                state.dropped += 1;
            }
        });
    }

    pub fn is_over(&self) -> bool {
        self.lock().is_over
    }

    /// The next notice, as soon as there is one; `None`: no more come.
    fn next(&self) -> Option<Arc<Notice>> {
        let mut state = self.lock();
        loop {
            if state.is_over {
                return None;
            }
            if let Some(notice) = state.waiting.pop_front() {
                state.is_sending = true;
                return Some(notice);
            }
            if state.is_closing {
                return None;
            }
            let woken = self.wake.wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Sends the notices that come, until no more do.
    pub fn send_all(&self, send: &mut dyn FnMut(&Notice, &NoticeQueue) -> Result<(), String>) {
        while let Some(notice) = self.next() {
            let sent = send(&notice, self);
            let mut state = self.lock();
            state.is_sending = false;
            match sent {
                Ok(()) => (state.sent, state.why) = (state.sent + 1, None),
                Err(_) if state.is_over => {
                    // It counts among those that are left.
                    state.waiting.push_front(notice);
                    return;
                }
                Err(why) => {
                    // It is logged once, until one arrives again.
                    if state.why.is_none() {
                        tracing::warn!(to = %self.to, %why, "a notification did not arrive");
                    }
                    (state.failed, state.why) = (state.failed + 1, Some(why));
                }
            }
        }
    }

    /// Waits as long as `pause`, or until the queue is over; returns true if it is over.
    pub fn pause(&self, pause: Duration) -> bool {
        let rested = self
            .wake
            .wait_timeout_while(self.lock(), pause, |state| !state.is_over);
        let (state, _) = rested.unwrap_or_else(PoisonError::into_inner);
        state.is_over
    }

    pub fn delivery(&self) -> Delivery {
        let state = self.lock();
        Delivery {
            to: self.to.clone(),
            sent: state.sent,
            failed: state.failed,
            dropped: state.dropped,
            left: state.waiting.len() as u64 + u64::from(state.is_sending),
            why: state.why.clone(),
        }
    }
}
