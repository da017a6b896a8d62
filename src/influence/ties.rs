//! Influence values of numbers that change with what tie groups weigh, along an ordering.

use crate::measures::ties::{Step, TieGradient};
use crate::order::jobs::Job;
use crate::order::ordering::Ordering;
use crate::walk::pieces::Pieces;

/// Adds to `out`, by place, how each row of an ordering moves a number; `rows(place)` rows are alike. O(rows) for a
/// curve against all others; against each of them the favoured rows count as often as there are others.
pub fn add_ties(
    (job, ordering): (&Job, &Ordering),
    gradient: &TieGradient,
    rows: impl Fn(usize) -> f64,
    out: &mut [f64],
) {
    let place = |row: usize| ordering.place[row] as usize;
    let mass = |row: usize| ordering.mass.get(row).copied().unwrap_or(1.0) * rows(place(row));
    let group = groups(ordering, gradient.joins_favoured);
    // The rows of each side, highest score first.
    let mut sides: Vec<Vec<u32>> = vec![Vec::new(); ordering.sides];
    for (row, &side) in ordering.side.iter().enumerate().rev() {
        let side = match usize::from(side) {
            side if side == ordering.favoured || gradient.apart => side,
            _ => job.side_of(job.others[0]),
        };
        sides[side].push(row as u32);
    }
    let others = if gradient.apart { &job.others[..] } else { &job.others[..1] };
    for &j in others {
        let both = [&sides[ordering.favoured], &sides[job.side_of(j)]];
        let (mut steps, mut last) = (Vec::<Step>::new(), None);
        merge(both, &group, |row, is_own| {
            if last != Some(group[row]) {
                last = Some(group[row]);
                steps.push(Step::default());
            }
            let Some(step) = steps.last_mut() else { return };
            *(if is_own { &mut step.own } else { &mut step.others }) += mass(row);
        });
        let mut moved = (gradient.moves)(job.favoured, j, &steps).into_iter();
        let (mut at, mut last) = (Step::default(), None);
        merge(both, &group, |row, is_own| {
            if last != Some(group[row]) {
                last = Some(group[row]);
                at = moved.next().unwrap_or_default();
            }
            out[place(row)] += mass(row) * if is_own { at.own } else { at.others };
        });
    }
}

/// The tie group of each row, numbered from the highest score down.
fn groups(ordering: &Ordering, joins_favoured: bool) -> Vec<u32> {
    let ties = if joins_favoured { &ordering.all_ties } else { &ordering.ties };
    let (mut group, mut count) = (vec![0; ordering.side.len()], 0);
    let (mut pieces, mut all) = (Pieces::new(ties, false), 0..group.len());
    while let Some(piece) = pieces.next(&mut all) {
        for row in piece.rows.rev() {
            group[row] = count;
            count += u32::from(!piece.tied);
        }
        count += u32::from(piece.tied);
    }
    group
}

/// Visits the rows of two sides, favoured ones first, from the highest score down, tie group by tie group.
fn merge(sides: [&Vec<u32>; 2], group: &[u32], mut visit: impl FnMut(usize, bool)) {
    let [mut own, mut others] = sides.map(|side| side.iter().map(|&row| row as usize).peekable());
    loop {
        let is_own = match (own.peek(), others.peek()) {
            (Some(&a), Some(&b)) => group[a] <= group[b],
            (a, b) if a.is_some() || b.is_some() => a.is_some(),
            _ => return,
        };
        let next = if is_own { own.next() } else { others.next() };
        next.into_iter().for_each(|row| visit(row, is_own));
    }
}
