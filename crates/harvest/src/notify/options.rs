//! The settings of a notifier, each with its default.

use forest_fetch::FetchOptions;
use std::time::Duration;

/// The settings of a notifier.
#[derive(Debug, Clone)]
pub struct NotifyOptions {
    user_agent: String,
    pub(super) retries: usize,
    pub(super) pause: Duration,
    answer: Duration,
    pub(super) program: Duration,
    pub(super) most: usize,
}

impl NotifyOptions {
    /// Further attempts after the first: with [`PAUSE`](Self::PAUSE) they span 15 s, a
    /// restart of the receiver.
    pub const RETRIES: usize = 4;
    /// Pause before the second attempt; it doubles before each further one.
    pub const PAUSE: Duration = Duration::from_secs(1);
    /// Time for one attempt at an address.
    pub const ANSWER: Duration = Duration::from_secs(10);
    /// Time after which a program is killed.
    pub const PROGRAM: Duration = Duration::from_secs(30);
    /// Maximum number of notices that wait for one recipient, some kilobytes each.
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

    /// Sets the maximum number of notices that wait for one recipient ([`MOST`](Self::MOST)), at least 1.
    #[must_use]
    pub fn with_most(mut self, notices: usize) -> Self {
        self.most = notices.max(1);
        self
    }

    /// A fetcher's options for one recipient: its host may be private, since the user
    /// typed it.
    pub(super) fn fetch_options(&self) -> FetchOptions {
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
