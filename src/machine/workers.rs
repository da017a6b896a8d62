//! Threads for one call.
//!
//! The calling thread works too; its helpers live as long as the call. Starting one costs some tens of
//! microseconds, which is why small work stays on the calling thread; in return nothing survives a
//! `fork`, so a forked child never waits for threads that only its parent had.
//!
//! That the caller works, rather than waits for a pool of as many threads, matters for short calls: systems
//! put a new thread on an idle core, but one that wakes up on the core where it slept, and two threads may
//! share a core for some milliseconds although another is idle. For the same reason helpers are to be
//! started by the thread that works beside them ([`Workers::supervise`] starts it).

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// How often a supervisor looks up.
const LOOK: Duration = Duration::from_millis(50);

/// A thread is worth starting for this many scores: some hundred microseconds of work.
const SCORES_PER_THREAD: usize = 1 << 15;

/// How many cores there are. Asked once: the system reads files to answer, which can take a millisecond.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Runs tasks on the calling thread and its helpers.
///
/// Results come back by task number, so they never depend on how many threads there are.
pub struct Workers {
    helpers: Option<Helpers>,
}

struct Helpers {
    pool: rayon::ThreadPool,
    /// How many of them have nothing to do. Tasks that share out tasks of their own find the others at work.
    idle: AtomicUsize,
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
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads - 1).build().ok();
        Self { helpers: pool.map(|pool| Helpers { pool, idle: AtomicUsize::new(threads - 1) }) }
    }

    /// Everything on the calling thread.
    pub const fn inline() -> Self {
        Self { helpers: None }
    }

    /// How many tasks run at once.
    pub fn count(&self) -> usize {
        1 + self.helpers.as_ref().map_or(0, |helpers| helpers.pool.current_num_threads())
    }

    /// Does work on another thread while the calling one looks up every 50 ms: `look` can see to
    /// interrupts and report progress.
    pub fn supervise<R: Send>(work: impl FnOnce() -> R + Send, mut look: impl FnMut()) -> R {
        let (sender, receiver) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let worker = scope.spawn(move || {
                let _sender = sender; // dropped when the work ends, however it ends
                work()
            });
            while receiver.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                look();
            }
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    /// `task(0), task(1), ...` in order of task number. May be called from within a task.
    pub fn map<R: Send>(&self, tasks: usize, task: impl Fn(usize) -> R + Sync) -> Vec<R> {
        self.map_at_most(tasks, tasks, task)
    }

    /// As [`map`](Self::map), on no more threads than `most`, where each needs much memory.
    pub fn map_at_most<R: Send>(
        &self,
        most: usize,
        tasks: usize,
        task: impl Fn(usize) -> R + Sync,
    ) -> Vec<R> {
        let helpers = match &self.helpers {
            Some(helpers) if tasks.min(most) > 1 => helpers,
            _ => return (0..tasks).map(task).collect(),
        };
        let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(tasks)));
        helpers.share(tasks.min(most), || {
            let mut own = Vec::new();
            loop {
                let k = next.fetch_add(1, Ordering::Relaxed);
                if k >= tasks {
                    break;
                }
                own.push((k, task(k)));
            }
            done.lock().unwrap_or_else(PoisonError::into_inner).append(&mut own);
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(k, _)| *k);
        done.into_iter().map(|(_, result)| result).collect()
    }

    /// As [`map`](Self::map), handing each task its own piece of the work.
    pub fn map_pieces<P: Send, R: Send>(
        &self,
        pieces: Vec<P>,
        task: impl Fn(usize, P) -> R + Sync,
    ) -> Vec<R> {
        if self.helpers.is_none() {
            return pieces.into_iter().enumerate().map(|(k, piece)| task(k, piece)).collect();
        }
        let pieces: Vec<_> = pieces.into_iter().map(|piece| Mutex::new(Some(piece))).collect();
        self.map(pieces.len(), |k| {
            let piece = pieces[k].lock().unwrap_or_else(PoisonError::into_inner).take();
            task(k, piece.expect("every task runs once"))
        })
    }
}

impl Helpers {
    /// Runs `drain` here and on those idle, `tasks` threads at most, until all have returned.
    fn share(&self, tasks: usize, drain: impl Fn() + Sync) {
        let take = |idle: usize| Some(idle - idle.min(tasks - 1));
        let idle = self.idle.fetch_update(Ordering::Acquire, Ordering::Relaxed, take);
        let taken = idle.unwrap_or(0).min(tasks - 1);
        self.pool.in_place_scope(|scope| {
            for _ in 0..taken {
                scope.spawn(|_| {
                    drain();
                    self.idle.fetch_add(1, Ordering::Release);
                });
            }
            drain();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_by_task_number_also_from_within_tasks() {
        for threads in [1, 2, 5] {
            let workers = Workers::new(threads, usize::MAX);
            assert_eq!(workers.count(), threads);
            let squares = workers.map(40, |k| {
                let parts = workers.map_pieces((0..k).collect(), |at, piece| {
                    assert_eq!(at, piece);
                    k
                });
                parts.into_iter().sum::<usize>()
            });
            assert_eq!(squares, (0..40).map(|k| k * k).collect::<Vec<_>>());
            assert!(workers.map(0, |k| k).is_empty());
        }
    }

    #[test]
    fn no_more_tasks_at_a_time_than_asked_for() {
        let workers = Workers::new(4, usize::MAX);
        for most in [1, 2, 3] {
            let (running, greatest) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let done = workers.map_at_most(most, 30, |k| {
                let at_once = 1 + running.fetch_add(1, Ordering::SeqCst);
                greatest.fetch_max(at_once, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(1));
                running.fetch_sub(1, Ordering::SeqCst);
                k
            });
            assert_eq!(done, (0..30).collect::<Vec<_>>());
            assert!(greatest.into_inner() <= most);
        }
    }

    #[test]
    #[should_panic(expected = "task 7")]
    fn a_panic_reaches_the_caller() {
        Workers::new(2, usize::MAX).map(20, |k| assert!(k != 7, "task {k}"));
    }
}
