//! Tail areas that closed-form errors are referred to.
//!
//! May use nothing.

pub mod student;
