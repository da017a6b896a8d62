//! How values change along an ordering, tie group by tie group.

/// Two rates that differ by no more are the same but for the rounding of sums of weights.
pub const NEAR: f64 = 1.0 / (1u64 << 40) as f64;

/// What the favoured rows of a tie group weigh, and the others; or how a value changes with either.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// Of the favoured rows.
    pub own: f64,
    /// Of the others.
    pub others: f64,
}

/// The derivative of a value by the mass of either side in every tie group of a curve, given the classes i (the
/// favoured one) and j that are compared and the tie groups, highest score first.
pub type Moves = Box<dyn Fn(usize, usize, &[Step]) -> Vec<Step> + Send + Sync>;

/// How one value changes with the curves of its orderings. What it is made of them is a sum.
pub struct TieGradient {
    /// The only favoured class whose ordering matters; `None` if all do.
    pub only: Option<usize>,
    /// Whether the favoured class has a curve against each of the others, or one against all of them.
    pub apart: bool,
    /// Whether favoured rows of one score are one tie group where they tie with no others
    /// ([`crate::walk::steps::Steps::joins_favoured`]).
    pub joins_favoured: bool,
    /// How it changes.
    pub moves: Moves,
    /// df / dm of each class beside that; empty if there is nothing.
    pub mass: Vec<f64>,
}
