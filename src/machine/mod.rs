//! What the processor and the system offer: threads, instruction sets, large buffers, interrupts.
//!
//! Uses [`crate::error`] alone; knows neither scores nor classes.

pub mod lanes;
pub mod memory;
pub mod watch;
pub mod workers;
