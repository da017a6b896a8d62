//! Threads for one call.
//!
//! A pool lives as long as the call that made it. Making one costs some tens of microseconds, which
//! is why small work stays on the calling thread; in return nothing survives a `fork`, so a forked
//! child never waits for threads that only its parent had.

use std::panic::resume_unwind;
use std::sync::OnceLock;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use rayon::prelude::*;

/// How often a supervisor looks up.
const LOOK: Duration = Duration::from_millis(50);

/// A thread is worth starting for this many scores: some hundred microseconds of work.
const SCORES_PER_THREAD: usize = 1 << 15;

/// How many cores there are. Asked once: the system reads files to answer, which can take a millisecond.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Runs tasks on the calling thread or on a pool of its own.
///
/// Results come back by task number, so they never depend on how many threads there are.
pub struct Workers {
    pool: Option<rayon::ThreadPool>,
}

impl Workers {
    /// At most `n_threads` threads (0: as many as there are cores) for work on so many scores.
    pub fn new(n_threads: usize, scores: usize) -> Self {
        let useful = scores / SCORES_PER_THREAD;
        if n_threads == 1 || useful < 2 {
            return Self::inline();
        }
        let wanted = match n_threads {
            0 => cores(),
            given => given,
        };
        let threads = wanted.min(useful);
        if threads < 2 {
            return Self::inline();
        }
        // A system that refuses threads gets the same answer from the calling thread.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok();
        Self { pool }
    }

    /// Everything on the calling thread.
    pub const fn inline() -> Self {
        Self { pool: None }
    }

    /// How many tasks run at once.
    pub fn count(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// Does work on a thread of the pool, where there is one: tasks within it start without waking up
    /// another thread first, which can take as long as small tasks do.
    pub fn within<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            None => work(),
            Some(pool) => pool.install(work),
        }
    }

    /// Does work on another thread while the calling one looks up every 50 ms: `look` can see to
    /// interrupts and report progress.
    pub fn supervise<R: Send>(&self, work: impl FnOnce() -> R + Send, mut look: impl FnMut()) -> R {
        let (sender, receiver) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let worker = scope.spawn(move || {
                let _sender = sender; // dropped when the work ends, however it ends
                self.within(work)
            });
            while receiver.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                look();
            }
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    /// `task(0), task(1), ...` in order of task number. May be called from within a task.
    pub fn map<R: Send>(&self, tasks: usize, task: impl Fn(usize) -> R + Sync) -> Vec<R> {
        match &self.pool {
            None => (0..tasks).map(task).collect(),
            Some(pool) => pool.install(|| (0..tasks).into_par_iter().map(&task).collect()),
        }
    }

    /// As [`map`](Self::map), handing each task its own piece of the work.
    pub fn map_pieces<P: Send, R: Send>(
        &self,
        pieces: Vec<P>,
        task: impl Fn(usize, P) -> R + Sync,
    ) -> Vec<R> {
        match &self.pool {
            None => pieces.into_iter().enumerate().map(|(k, piece)| task(k, piece)).collect(),
            Some(pool) => pool.install(|| {
                pieces.into_par_iter().enumerate().map(|(k, piece)| task(k, piece)).collect()
            }),
        }
    }
}
