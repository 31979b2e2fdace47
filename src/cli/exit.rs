//! Exit codes.

use std::io;

/// The end of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// All is done.
    Done,
    /// Nothing was found, the learner abstained, a gate failed, or every input
    /// failed.
    Nothing,
    /// Wrong usage, or an error.
    Error,
    /// Some inputs were empty, blocked or failed; each was reported.
    Partial,
}

impl Exit {
    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Nothing => 1,
            Exit::Error => 2,
            Exit::Partial => 3,
        }
    }

    /// The end of a command over many inputs, of which `good` of `all` succeeded.
    pub fn of(good: usize, all: usize) -> Exit {
        match good {
            0 => Exit::Nothing,
            _ if good < all => Exit::Partial,
            _ => Exit::Done,
        }
    }
}

impl Exit {
    /// `Done` if `is_done`, else this.
    pub fn unless(self, is_done: bool) -> Exit {
        if is_done { Exit::Done } else { self }
    }
}

/// Returns true if the reader of the output went away.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>();
        io.is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_is_partial_and_none_is_nothing() {
        assert_eq!(Exit::of(0, 3), Exit::Nothing);
        assert_eq!(Exit::of(0, 0), Exit::Nothing);
        assert_eq!(Exit::of(2, 3), Exit::Partial);
        assert_eq!(Exit::of(3, 3), Exit::Done);
        assert_eq!(Exit::Partial.code(), 3);
    }
}
