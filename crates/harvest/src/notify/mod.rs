//! Notifications: recipients get a notice of what breaks, and of articles.
//!
//! Takes the events of a harvest ([`HarvestProgress`](super::HarvestProgress)); gives a
//! [`Notice`] to each [`Recipient`], after the archive has the event on the disk.
//!
//! - `notice`: an event as JSON and as text.
//! - `recipient`: addresses and programs that get notices, each in its form.
//! - `program`: a program that gets a notice on standard input.
//! - `queue`: the notices that wait for a recipient.
//! - `options`: times and limits.
//!
//! **Never in the way.** Each recipient has a thread and a queue of its own;
//! [`Notifier::send`] only adds to the queues. A full queue loses its oldest notice, and
//! counts that. [`Notifier::finish`] waits for the queues as long as its caller allows.
//!
//! **Delivery.** A notice is sent until it arrives: after a connection that was lost, no
//! answer in time, the statuses 429 and 5xx, or a program that failed, it is sent again,
//! with pauses that double. So it may arrive twice, with the same `id`. The queues are in
//! memory: notices that a killed process had not sent are lost, and the next process does
//! not send them.

mod notice;
mod options;
mod program;
mod queue;
mod recipient;
#[cfg(test)]
mod tests;

pub use notice::Notice;
pub use options::NotifyOptions;
pub use queue::Delivery;
pub use recipient::Recipient;

use crate::error::Result;
use forest_archive::EventKind;
use queue::NoticeQueue;
use recipient::Sender;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Sends notices to recipients, each on a thread of its own.
#[derive(Debug)]
pub struct Notifier {
    kinds: Vec<EventKind>,
    queues: Vec<(Arc<NoticeQueue>, Receiver<()>)>,
}

impl Notifier {
    /// The kinds of a notifier whose user names none: what breaks, and what mended itself.
    /// Articles, new and edited, come by the hundred a day from a busy harvest and need no
    /// hand.
    pub const DEFAULT_KINDS: [EventKind; 5] = [
        EventKind::Drift,
        EventKind::Relearned,
        EventKind::Blocked,
        EventKind::FeedMoved,
        EventKind::FeedGone,
    ];

    /// A thread for each recipient, which gets notices of `kinds`.
    ///
    /// # Errors
    ///
    /// If the system gives no threads, or the environment's proxies are no addresses.
    pub fn new(
        recipients: impl IntoIterator<Item = Recipient>,
        kinds: impl IntoIterator<Item = EventKind>,
        options: &NotifyOptions,
    ) -> Result<Notifier> {
        let mut queues = Vec::new();
        for recipient in recipients {
            let queue = Arc::new(NoticeQueue::new(recipient.to_string(), options.most));
            let (ended, wait) = channel();
            let mut sender = Sender::new(recipient, options)?;
            let own = Arc::clone(&queue);
            let begun = std::thread::Builder::new()
                .name("forest-notify".to_owned())
                .spawn(move || {
                    own.send_all(&mut |notice, queue| sender.send(notice, queue));
                    // Nobody may be waiting.
                    let _ = ended.send(());
                });
            begun.map_err(|error| forest_fetch::Error::client(error.to_string()))?;
            queues.push((queue, wait));
        }
        let kinds = kinds.into_iter().collect();
        Ok(Notifier { kinds, queues })
    }

    /// Sends a notice to all recipients, if they want its kind. Does not wait for them.
    pub fn send(&self, notice: Notice) {
        if !self.kinds.contains(&notice.kind()) {
            return;
        }
        let notice = Arc::new(notice);
        for (queue, _) in &self.queues {
            queue.add(Arc::clone(&notice));
        }
    }

    /// Ends when all is sent, or when `patience` is over: then the notices that wait are left,
    /// and a program that runs is killed. Gives the delivery of each recipient's notices.
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
        let deliveries = self.queues.iter().map(|(queue, ended)| {
            if queue.is_over() {
                let left = end.saturating_duration_since(Instant::now());
                let _ = ended.recv_timeout(left);
            }
            queue.delivery()
        });
        deliveries.collect()
    }
}

/// Time to kill a program when the harvest ends.
const KILLING: Duration = Duration::from_millis(500);
