//! Whoever wants to know is told: of what breaks, and of articles.
//!
//! Takes what a harvest tells of ([`Progress`](super::Progress)); gives a [`Notice`] to
//! each [`Recipient`]. It is told after the archive has it on the disk.
//!
//! - `notice`: what is told, as JSON and as text.
//! - `recipient`: who is told, and in which form.
//! - `program`: a program that gets a notice on standard input.
//!
//! **Never in the way.** Each recipient has a thread and a queue of its own;
//! [`Notifier::tell`] only adds to the queues. One that is full loses its oldest notice,
//! and counts that. [`Notifier::finish`] waits for the queues as long as it is told to,
//! and no longer.
//!
//! **Delivery.** A notice is sent until it arrives: after a connection that was lost, no
//! answer in time, the statuses 429 and 5xx, or a program that failed, it is sent again,
//! with pauses that double. So it may arrive twice, with the same `id`. The queues are in
//! memory: what a process that is killed had not sent yet is missed, and not told by the
//! next one.

mod notice;
mod program;
mod recipient;
#[cfg(test)]
mod tests;

pub use notice::{Notice, NoticeKind};
pub use recipient::Recipient;

use crate::error::{Result, counted};
use crate::fetch::FetchOptions;
use recipient::Sender;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How notices are sent.
#[derive(Debug, Clone)]
pub struct NotifyOptions {
    user_agent: String,
    retries: usize,
    pause: Duration,
    answer: Duration,
    program: Duration,
    most: usize,
}

impl NotifyOptions {
    /// Further attempts after the first: with [`PAUSE`](Self::PAUSE) they span 15 s, a
    /// restart of the receiver.
    pub const RETRIES: usize = 4;
    /// Pause before the second attempt; it doubles before each further one.
    pub const PAUSE: Duration = Duration::from_secs(1);
    /// One attempt at an address.
    pub const ANSWER: Duration = Duration::from_secs(10);
    /// The longest that a program may run; then it is killed.
    pub const PROGRAM: Duration = Duration::from_secs(30);
    /// Notices that wait for one recipient, some kilobytes each at the most.
    pub const MOST: usize = 1000;

    /// Sets the `User-Agent` header ([`FetchOptions::USER_AGENT`]).
    #[must_use]
    pub fn with_user_agent(mut self, user_agent: impl Into<String>) -> Self {
        self.user_agent = user_agent.into();
        self
    }

    /// Sets the attempts after the first ([`RETRIES`](Self::RETRIES)).
    #[must_use]
    pub fn with_retries(mut self, retries: usize) -> Self {
        self.retries = retries;
        self
    }

    /// Sets the first pause ([`PAUSE`](Self::PAUSE)).
    #[must_use]
    pub fn with_pause(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    /// Sets the time for one attempt at an address ([`ANSWER`](Self::ANSWER)).
    #[must_use]
    pub fn with_answer(mut self, time: Duration) -> Self {
        self.answer = time;
        self
    }

    /// Sets the time for a program ([`PROGRAM`](Self::PROGRAM)).
    #[must_use]
    pub fn with_program(mut self, time: Duration) -> Self {
        self.program = time;
        self
    }

    /// Sets the notices that wait for one recipient ([`MOST`](Self::MOST)), at least 1.
    #[must_use]
    pub fn with_most(mut self, notices: usize) -> Self {
        self.most = notices.max(1);
        self
    }

    /// A fetcher's options for one recipient: its host may be private, since the user
    /// typed it.
    fn fetch_options(&self) -> FetchOptions {
        FetchOptions::default()
            .with_allow_private(true)
            .with_user_agent(&self.user_agent)
            .with_timeout(self.answer)
            .with_retries(self.retries)
            .with_backoff(self.pause)
    }
}

impl Default for NotifyOptions {
    fn default() -> Self {
        NotifyOptions {
            user_agent: FetchOptions::USER_AGENT.to_owned(),
            retries: Self::RETRIES,
            pause: Self::PAUSE,
            answer: Self::ANSWER,
            program: Self::PROGRAM,
            most: Self::MOST,
        }
    }
}

/// Sends notices to recipients, each on a thread of its own.
#[derive(Debug)]
pub struct Notifier {
    kinds: Vec<NoticeKind>,
    queues: Vec<(Arc<Queue>, Receiver<()>)>,
}

/// What became of one recipient's notices.
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
    /// Why the last one failed.
    pub why: Option<String>,
}

impl Notifier {
    /// A thread for each recipient, which are told of `kinds`.
    ///
    /// # Errors
    ///
    /// If the system gives no threads, or the environment's proxies are no addresses.
    pub fn new(
        recipients: impl IntoIterator<Item = Recipient>,
        kinds: impl IntoIterator<Item = NoticeKind>,
        options: &NotifyOptions,
    ) -> Result<Notifier> {
        let mut queues = Vec::new();
        for recipient in recipients {
            let queue = Arc::new(Queue {
                to: recipient.to_string(),
                most: options.most,
                state: Mutex::default(),
                wake: Condvar::new(),
            });
            let (ended, wait) = channel();
            let mut sender = Sender::new(recipient, options)?;
            let own = Arc::clone(&queue);
            let begun = std::thread::Builder::new()
                .name("forest-notify".to_owned())
                .spawn(move || {
                    own.work(&mut sender);
                    // Nobody may be waiting.
                    let _ = ended.send(());
                });
            begun.map_err(|error| crate::error::ErrorKind::Client {
                reason: error.to_string(),
            })?;
            queues.push((queue, wait));
        }
        let kinds = kinds.into_iter().collect();
        Ok(Notifier { kinds, queues })
    }

    /// Tells all recipients, if they want to know of this kind. Does not wait for them.
    pub fn tell(&self, notice: Notice) {
        if !self.kinds.contains(&notice.kind()) {
            return;
        }
        let notice = Arc::new(notice);
        for (queue, _) in &self.queues {
            queue.add(Arc::clone(&notice));
        }
    }

    /// Ends when all is sent, or when `patience` is over: what waits still is left, and a
    /// program that runs is killed. Gives what became of each recipient's notices.
    pub fn finish(self, patience: Duration) -> Vec<Delivery> {
        let end = Instant::now() + patience;
        for (queue, _) in &self.queues {
            queue.change(|state| state.is_closing = true);
        }
        for (queue, ended) in &self.queues {
            let left = end.saturating_duration_since(Instant::now());
            if ended.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                queue.change(|state| state.is_over = true);
            }
        }
        // Time to kill a program; an address that hangs is left to the end of the process.
        let end = Instant::now() + KILLING;
        let told = self.queues.iter().map(|(queue, ended)| {
            if queue.lock().is_over {
                let left = end.saturating_duration_since(Instant::now());
                let _ = ended.recv_timeout(left);
            }
            queue.delivery()
        });
        told.collect()
    }
}

/// Time to kill a program when the harvest ends.
const KILLING: Duration = Duration::from_millis(500);

/// What waits for one recipient.
#[derive(Debug)]
struct Queue {
    to: String,
    most: usize,
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Arc<Notice>>,
    /// One is being sent.
    is_sending: bool,
    /// No more come.
    is_closing: bool,
    /// What waits is not to be sent any more.
    is_over: bool,
    sent: u64,
    failed: u64,
    dropped: u64,
    why: Option<String>,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.wake.notify_all();
    }

    fn add(&self, notice: Arc<Notice>) {
        self.change(|state| {
            state.waiting.push_back(notice);
            if state.waiting.len() > self.most {
                state.waiting.pop_front();
                state.dropped += 1;
            }
        });
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

    /// Sends what comes, until no more does.
    fn work(&self, sender: &mut Sender) {
        while let Some(notice) = self.next() {
            let sent = sender.send(&notice, self);
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
                    // It is said once, until one arrives again.
                    if state.why.is_none() {
                        tracing::warn!(to = %self.to, %why, "a notification did not arrive");
                    }
                    (state.failed, state.why) = (state.failed + 1, Some(why));
                }
            }
        }
    }

    /// Waits as long as `pause`, or until it is over; whether it is over.
    fn rest(&self, pause: Duration) -> bool {
        let rested = self
            .wake
            .wait_timeout_while(self.lock(), pause, |state| !state.is_over);
        let (state, _) = rested.unwrap_or_else(PoisonError::into_inner);
        state.is_over
    }

    fn delivery(&self) -> Delivery {
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

impl Delivery {
    /// Whether all arrived.
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
        let parts: Vec<String> = parts.map(|(count, how)| format!("{count} {how}")).collect();
        if !parts.is_empty() {
            write!(f, " ({})", parts.join("; "))?;
        }
        match &self.why {
            Some(why) => write!(f, ": {why}"),
            None => Ok(()),
        }
    }
}
