//! What closed-form errors are referred to: tail areas, limits made of them, and shares of a Beta.
//!
//! May use nothing.

pub mod beta;
pub mod estimated;
pub mod limits;
pub mod mover;
pub mod normal;
pub mod student;
