//! Wrong tokens of late, counted by client as wrong passwords are.

use forest_web::access::Untried;
use forest_web::clients::ClientKey;
use forest_web::wrong_passwords::WrongPasswords;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The wrong tokens of the last minute.
#[derive(Debug)]
pub struct WrongTokens(Mutex<WrongPasswords>);

impl Default for WrongTokens {
    fn default() -> WrongTokens {
        WrongTokens(Mutex::new(WrongPasswords::new(Instant::now())))
    }
}

impl WrongTokens {
    /// Counts one of a client; the error says that there are too many.
    pub(super) fn add(&self, client: ClientKey) -> Result<(), Untried> {
        let now = Instant::now();
        let mut wrong = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if wrong.are_too_many(client, now) {
            return Err(Untried::TooManyWrong);
        }
        wrong.add(client, now);
        Ok(())
    }
}
