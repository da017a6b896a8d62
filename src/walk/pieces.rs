//! An ordering cut where tie groups begin and end.

use std::ops::Range;

/// Rows that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The rows.
    pub rows: Range<usize>,
    /// Whether all of them lie in one tie group; if not, none of them lies in any.
    pub tied: bool,
    /// Whether the tie group is over with them.
    pub ends: bool,
}

/// Cuts stretches of rows, which follow one another, at the bounds of tie groups.
pub struct Pieces<'a> {
    /// First row and end of each tie group that is still to come.
    ties: &'a [(u32, u32)],
    up: bool,
}

impl<'a> Pieces<'a> {
    /// Tie groups in the order of their rows, met from the first on (`up`) or from the last.
    pub fn new(ties: &'a [(u32, u32)], up: bool) -> Self {
        Self { ties, up }
    }

    /// Takes the next piece off a stretch of rows.
    #[inline]
    pub fn next(&mut self, stretch: &mut Range<usize>) -> Option<Piece> {
        if stretch.start >= stretch.end {
            return None;
        }
        Some(if self.up { self.next_up(stretch) } else { self.next_down(stretch) })
    }

    fn next_up(&mut self, stretch: &mut Range<usize>) -> Piece {
        let (first, end) = bounds(self.ties.first(), usize::MAX);
        let tied = first <= stretch.start;
        let stop = if tied { end } else { first }.min(stretch.end);
        let ends = tied && stop == end;
        if ends {
            self.ties = &self.ties[1..];
        }
        let rows = stretch.start..stop;
        stretch.start = stop;
        Piece { rows, tied, ends }
    }

    fn next_down(&mut self, stretch: &mut Range<usize>) -> Piece {
        let (first, end) = bounds(self.ties.last(), 0);
        let tied = end >= stretch.end;
        let stop = if tied { first } else { end }.max(stretch.start);
        let ends = tied && stop == first;
        if ends {
            self.ties = &self.ties[..self.ties.len() - 1];
        }
        let rows = stop..stretch.end;
        stretch.end = stop;
        Piece { rows, tied, ends }
    }
}

/// The bounds of a tie group; a place that no row reaches if there is none.
fn bounds(tie: Option<&(u32, u32)>, beyond: usize) -> (usize, usize) {
    tie.map_or((beyond, beyond), |tie| (tie.0 as usize, tie.1 as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces of ten rows in stretches of so many.
    fn pieces(ties: &[(u32, u32)], step: usize, up: bool) -> Vec<Piece> {
        let mut stretches: Vec<_> = (0..10).step_by(step).map(|k| k..(k + step).min(10)).collect();
        if !up {
            stretches.reverse();
        }
        let mut cut = Pieces::new(ties, up);
        let mut found = Vec::new();
        for mut stretch in stretches {
            found.extend(std::iter::from_fn(|| cut.next(&mut stretch)));
        }
        found
    }

    #[test]
    fn pieces_cover_all_rows_and_end_where_ties_do() {
        for ties in [&[][..], &[(0, 3)], &[(2, 5), (5, 7)], &[(1, 2), (8, 10)], &[(0, 10)]] {
            for (step, up) in (1..=10).flat_map(|step| [(step, true), (step, false)]) {
                let found = pieces(ties, step, up);
                let mut rows: Vec<usize> = found.iter().flat_map(|p| p.rows.clone()).collect();
                rows.sort_unstable();
                assert_eq!(rows, (0..10).collect::<Vec<_>>());
                let is_in =
                    |row: usize, tie: &(u32, u32)| (tie.0 as usize..tie.1 as usize).contains(&row);
                for piece in &found {
                    let inside = ties.iter().find(|tie| is_in(piece.rows.start, tie));
                    assert!(
                        piece.rows.clone().all(|row| ties.iter().find(|t| is_in(row, t)) == inside)
                    );
                    assert_eq!(piece.tied, inside.is_some());
                    let last = if up { piece.rows.end } else { piece.rows.start } as u32;
                    assert_eq!(
                        piece.ends,
                        inside.is_some_and(|t| last == if up { t.1 } else { t.0 })
                    );
                }
            }
        }
    }
}
