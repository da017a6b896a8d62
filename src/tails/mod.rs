//! What closed-form errors are referred to: tail areas, and limits made of them.
//!
//! May use nothing.

pub mod estimated;
pub mod limits;
pub mod mover;
pub mod normal;
pub mod student;
