//! Influence values: how much each resampled unit moves a measure.
//!
//! The AUC of side i against side j on an ordering is the mean of placements. A row a of i has
//! V_a = (mass of j below a + half of that tied with a) / m_j, a row b of j has
//! V_b = (mass of i above b + half of that tied with b) / m_i, and either kind averages to A. A row of
//! weight s moves A by l = s (V - A) / m, m the mass of its own side (DeLong, DeLong & Clarke-Pearson
//! 1988; Sun & Xu 2014 for the mid-ranks). A measure f of several A(i|j) and of class masses moves by
//!
//! ```text
//! l = sum of (df / dA(i|j)) l(i|j)  +  s df / dm_class
//! ```
//!
//! summed over the rows of a unit and centred within strata. From these come the acceleration of BCa
//! intervals, a = sum l^3 / (6 (sum l^2)^1.5) (Efron 1987), and the variance of the measure,
//! sum over strata of n / (n - 1) sum l^2. O(rows) for each ordering.

use crate::data::units::Units;
use crate::order::ordering::Ordering;
use crate::walk::pieces::Pieces;

/// Sums over units of the influence values of one number.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moments {
    /// Their squares.
    pub second: f64,
    /// Their cubes.
    pub third: f64,
    /// The variance of the number; NaN if a stratum has a single unit.
    pub variance: f64,
    /// Over strata of more than one unit: the variance, and half the variance of its estimate.
    known: f64,
    doubt: f64,
}

/// Adds to `out`, by place, the influence of each row on the AUCs of an ordering's favoured side
/// against the others, side j counted `slopes[j]` times. `rows(place)` rows are alike. Returns these AUCs, exact
/// but for one rounding where all rows count one.
pub fn add_contrasts(
    ordering: &Ordering,
    slopes: &[f64],
    rows: impl Fn(usize) -> f64,
    out: &mut [f64],
) -> Vec<f64> {
    let mass = |row: usize| {
        ordering.mass.get(row).copied().unwrap_or(1.0) * rows(ordering.place[row] as usize)
    };
    let side = |row: usize| usize::from(ordering.side[row]);
    let mut masses = vec![0.0; ordering.sides];
    (0..ordering.place.len()).for_each(|row| masses[side(row)] += mass(row));
    let favoured = ordering.favoured;
    let own = masses[favoured];
    // What a unit of each other side's mass adds to the placements of favoured rows above it.
    let step: Vec<f64> = (0..ordering.sides)
        .map(|j| if j == favoured || masses[j] == 0.0 { 0.0 } else { slopes[j] / masses[j] })
        .collect();
    // First the sum over j of slope A, which placements are centred by: each A(i|j) is the mean of the
    // placements of j's rows.
    let mut auc = vec![0.0; ordering.sides];
    let mut won = vec![0.0; ordering.sides];
    walk(ordering, &step, mass, |row, placement| {
        let j = side(row);
        if j != favoured {
            auc[j] += mass(row) * (own - placement) / own;
            won[j] += mass(row) * (own - placement);
        }
    });
    for (auc, mass) in auc.iter_mut().zip(&masses) {
        *auc /= mass;
    }
    let others = (0..ordering.sides).filter(|&j| step[j] != 0.0);
    let centre: f64 = others.map(|j| slopes[j] * auc[j]).sum();
    walk(ordering, &step, mass, |row, placement| {
        let j = side(row);
        let moved = if j == favoured {
            mass(row) / own * (placement - centre)
        } else {
            mass(row) * step[j] * ((own - placement) / own - auc[j])
        };
        out[ordering.place[row] as usize] += moved;
    });
    won.iter().zip(&masses).map(|(won, mass)| won / (own * mass)).collect()
}

/// Calls `visit(row, placement)` for all rows: for favoured ones the sum of `step` times mass of the
/// others below, for the others the mass of the favoured ones below; half of what ties.
fn walk(
    ordering: &Ordering,
    step: &[f64],
    mass: impl Fn(usize) -> f64,
    mut visit: impl FnMut(usize, f64),
) {
    let favoured = |row: usize| usize::from(ordering.side[row]) == ordering.favoured;
    let stepped = |row: usize| mass(row) * step[usize::from(ordering.side[row])];
    let (mut below, mut others) = (0.0, 0.0);
    let mut pieces = Pieces::new(&ordering.ties, true);
    let mut rows = 0..ordering.place.len();
    while let Some(piece) = pieces.next(&mut rows) {
        if piece.tied {
            let tie = piece.rows;
            let own: f64 = tie.clone().filter(|&a| favoured(a)).map(&mass).sum();
            let rest: f64 = tie.clone().filter(|&a| !favoured(a)).map(stepped).sum();
            for a in tie {
                visit(a, if favoured(a) { others + 0.5 * rest } else { below + 0.5 * own });
            }
            (below, others) = (below + own, others + rest);
            continue;
        }
        for row in piece.rows {
            if favoured(row) {
                visit(row, others);
                below += mass(row);
            } else {
                visit(row, below);
                others += stepped(row);
            }
        }
    }
}

/// Centres influence values within strata and sums their powers. The value at a place is the sum of
/// those of the `rows(place)` rows there, which are alike.
pub fn moments(values: &[f64], units: &Units<'_>, rows: impl Fn(usize) -> f64) -> Moments {
    let mut sums = Moments::default();
    for (_, places) in units.strata().filter(|(_, places)| !places.is_empty()) {
        let n: f64 = places.clone().map(&rows).sum();
        let mean = values[places.clone()].iter().sum::<f64>() / n;
        let (mut second, mut third, mut fourth) = (0.0, 0.0, 0.0);
        for place in places {
            let value = values[place] / rows(place) - mean;
            second += rows(place) * value * value;
            third += rows(place) * value * value * value;
            fourth += rows(place) * value * value * value * value;
        }
        sums.second += second;
        sums.third += third;
        let variance = n / (n - 1.0) * second;
        sums.variance += variance;
        if n > 1.0 {
            sums.known += variance;
            // NaN, where nothing moves the number, counts as no excess.
            let excess = (n * fourth / (second * second) - 3.0).max(0.0);
            sums.doubt += variance * variance * (1.0 / (n - 1.0) + excess / (2.0 * n));
        }
    }
    sums
}

impl Moments {
    /// The variance over the sum of squares, by which resampling spreads: about n / (n - 1).
    pub fn inflation(&self) -> f64 {
        self.known / self.second
    }

    /// Degrees of freedom of the variance, a sum of variances of strata (Satterthwaite 1946). The
    /// variance of n values has itself a variance of V^2 (2 / (n - 1) + k / n), k their excess
    /// kurtosis; a negative k, which small samples give easily, is taken for 0.
    pub fn freedom(&self) -> f64 {
        self.known * self.known / self.doubt
    }

    /// The acceleration; NaN where nothing moves the number.
    pub fn acceleration(&self) -> f64 {
        self.third / (6.0 * self.second.powf(1.5))
    }
}
