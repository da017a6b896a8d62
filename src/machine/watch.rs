//! Watching over work that takes long.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How far a run is, and whether it should stop.
#[derive(Default)]
pub struct Watch {
    stop: AtomicBool,
    done: AtomicU64,
}

impl Watch {
    /// Asks the work to stop.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Notes more replicates as done.
    pub fn add(&self, replicates: u64) {
        self.done.fetch_add(replicates, Ordering::Relaxed);
    }

    /// Replicates done so far; a part of the orderings counts as a part of a replicate.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }
}
