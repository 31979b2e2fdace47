//! Work that takes longer than an answer: it is kept under a name, so that pages ask how far it is.

use forest_web::token::random_name;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Jobs of a kind that are kept; older ones are forgotten.
const MAX_JOBS: usize = 20;

/// How far a job is.
pub trait JobProgress {
    /// Jobs that work at once.
    const MAX_WORKING: usize;

    /// A job that begins.
    fn begun() -> Self;

    fn is_working(&self) -> bool;
}

/// A job with its name.
#[derive(Debug)]
pub struct KeptJob<P> {
    pub(super) id: String,
    state: Mutex<P>,
}

impl<P> KeptJob<P> {
    pub(super) fn state(&self) -> MutexGuard<'_, P> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The jobs of a kind, the oldest first.
#[derive(Debug)]
pub struct KeptJobs<P>(Mutex<VecDeque<Arc<KeptJob<P>>>>);

impl<P> Default for KeptJobs<P> {
    fn default() -> KeptJobs<P> {
        KeptJobs(Mutex::default())
    }
}

impl<P: JobProgress> KeptJobs<P> {
    /// A new job; `None` while too many work.
    pub fn begin(&self) -> Option<Arc<KeptJob<P>>> {
        let mut jobs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let working = jobs.iter().filter(|job| job.state().is_working()).count();
        if working >= P::MAX_WORKING {
            return None;
        }
        let job = Arc::new(KeptJob {
            id: random_name(),
            state: Mutex::new(P::begun()),
        });
        if jobs.len() >= MAX_JOBS {
            jobs.pop_front();
        }
        jobs.push_back(Arc::clone(&job));
        Some(job)
    }

    pub(super) fn get(&self, id: &str) -> Option<Arc<KeptJob<P>>> {
        let jobs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.iter().find(|job| job.id == id).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True while it works.
    #[derive(Debug)]
    struct TestWork(bool);

    impl JobProgress for TestWork {
        const MAX_WORKING: usize = 2;

        fn begun() -> TestWork {
            TestWork(true)
        }

        fn is_working(&self) -> bool {
            self.0
        }
    }

    #[test]
    fn jobs_are_bounded() {
        let jobs = KeptJobs::<TestWork>::default();
        let first = jobs.begin().expect("a job");
        let _second = jobs.begin().expect("a job");
        assert!(jobs.begin().is_none());
        first.state().0 = false;
        for _ in 0..MAX_JOBS {
            jobs.begin().expect("a job").state().0 = false;
        }
        assert!(jobs.get(&first.id).is_none(), "it was forgotten");
    }
}
