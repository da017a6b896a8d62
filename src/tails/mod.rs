//! Areas under distributions: the tails that closed-form errors are referred to, and shares of a Beta.
//!
//! May use nothing.

pub mod beta;
pub mod student;
