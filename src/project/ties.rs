//! Which projected scores tie.
//!
//! Projection rounds, so scores that tie in exact arithmetic (2/9 - 1/9 and 3/9 - 2/9) may differ in
//! the last digits. With u the unit roundoff of the scores as given and m = sum_k e_k |p_k| the scale
//! of a projection's error ([`crate::project::projection`]), neighbours a < b in sorted order are *linked* when
//! b - a <= 2 u (m_a + m_b). A chain of links is a tie group if its ends differ by at most 4 u max m; a longer
//! chain is dense data that happens to lie closely, and there only equal scores tie. A tolerance inside a
//! comparison would not do: it is not an order.
//!
//! Where the projection is a difference of two scores, as with the argmax partition, it is 0 just where
//! the scores are equal, so its sign is right: then neighbours of different signs (0 is a sign of its own)
//! are not linked, and rows that argmax tells apart stay apart. With other costs the sign of a projection
//! near 0 is rounding like its last digits.

use crate::count::tally::Tally;
use crate::data::scores::Score;
use crate::data::weights::Weighting;

/// A projected row.
#[derive(Clone, Copy, Debug)]
pub struct Projected<R> {
    /// The projected score.
    pub score: f64,
    /// The scale m of its rounding error.
    pub magnitude: f64,
    /// What the row carries.
    pub row: R,
    /// Whether the row is of the favoured class.
    pub favoured: bool,
}

/// The rule of a projection.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The unit roundoff u of the scores as given; 0 if only equal projections tie.
    pub unit_roundoff: f64,
    /// Whether the sign of a projection is right.
    pub signs: bool,
}

impl Rule {
    /// Only equal scores tie.
    pub const EXACT: Self = Self { unit_roundoff: 0.0, signs: true };
}

/// How near two scores must be for the rule to have a say, given the greatest m of all rows; negative
/// if it never has.
pub fn reach(unit_roundoff: f64, greatest_magnitude: f64) -> f64 {
    if unit_roundoff == 0.0 {
        return -1.0;
    }
    // A little more than 2 u (m_a + m_b) <= 4 u max m, for the rounding in this product.
    5.0 * unit_roundoff * greatest_magnitude
}

/// Calls `meet` for each tie group by the rule above, lowest first. Sorts the rows.
pub fn tie_groups<R>(
    rows: &mut [Projected<R>],
    rule: Rule,
    mut meet: impl FnMut(&mut [Projected<R>]),
) {
    rows.sort_unstable_by(|a, b| a.score.order(&b.score));
    // Equal scores have one m, the greatest, so that the order of equal rows does not matter.
    for equal in rows.chunk_by_mut(|a, b| a.score == b.score) {
        let greatest = equal.iter().map(|row| row.magnitude).fold(0.0, f64::max);
        equal.iter_mut().for_each(|row| row.magnitude = greatest);
    }
    for chain in rows.chunk_by_mut(|a, b| linked(a, b, rule)) {
        if is_tie_group(chain, rule.unit_roundoff) {
            meet(chain);
        } else {
            chain.chunk_by_mut(|a, b| a.score == b.score).for_each(&mut meet);
        }
    }
}

/// Compares the favoured rows with the others, with ties by the rule above. Sorts the rows.
pub fn tally<W: Weighting>(rows: &mut [Projected<W::Row>], rule: Rule) -> Tally<W> {
    // Masses are summed in the order in which `below` grows, so that real weights round alike.
    rows.sort_unstable_by(|a, b| a.score.order(&b.score));
    let mass_of = |rows: &[Projected<W::Row>], favoured: bool| {
        let rows = rows.iter().filter(|row| row.favoured == favoured);
        rows.fold(W::Mass::default(), |mass, row| W::join(mass, W::mass(row.row)))
    };
    let mut tally = Tally::<W>::empty(mass_of(rows, true));
    tally.other = mass_of(rows, false);
    let mut below = W::Mass::default();
    tie_groups(rows, rule, |tied| {
        let favoured = tied.iter().filter(|row| row.favoured);
        let upto = favoured.fold(below, |mass, row| W::join(mass, W::mass(row.row)));
        for other in tied.iter().filter(|row| !row.favoured) {
            tally.wins = W::add(tally.wins, W::wins(W::mass(other.row), below, upto, tally.class));
            tally.ties = W::add(tally.ties, W::ties(W::mass(other.row), below, upto, tally.class));
        }
        below = upto;
    });
    tally
}

fn linked<R>(a: &Projected<R>, b: &Projected<R>, rule: Rule) -> bool {
    if a.score == b.score {
        return true;
    }
    let Rule { unit_roundoff, signs } = rule;
    let same_sign = (a.score > 0.0 && b.score > 0.0) || (a.score < 0.0 && b.score < 0.0);
    // Infinite scores have infinite m, which must not link them to anything.
    (same_sign || !signs)
        && a.score.is_finite()
        && b.score.is_finite()
        && b.score - a.score
            <= 2.0 * unit_roundoff * a.magnitude + 2.0 * unit_roundoff * b.magnitude
}

fn is_tie_group<R>(chain: &[Projected<R>], unit_roundoff: f64) -> bool {
    let (Some(first), Some(last)) = (chain.first(), chain.last()) else {
        return true;
    };
    let greatest = chain.iter().map(|row| row.magnitude).fold(0.0, f64::max);
    first.score == last.score || last.score - first.score <= 4.0 * unit_roundoff * greatest
}
