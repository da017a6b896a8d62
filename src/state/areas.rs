//! Areas of a state's counts, and how far off bins can put them.
//!
//! Pairs of rows in one bin count one half, as ties do. Where a bin holds several keys each such pair may be
//! anything from 0 to 1, so that half the mass of these pairs bounds the error of the area.
//!
//! Summed over the classes j, Hand and Till's A(i|j) on column i are one area of class i against a rest in which
//! a row of class j weighs 1 / n_j: this is all that is kept where class counts are known.

use super::State;
use super::cells::Cells;
use super::layout::{SHARE_BITS, lane};
use crate::measures::mean::CompensatedSum;

/// A number and how far it may be from that of exact counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounded {
    /// The number.
    pub value: f64,
    /// At most so far off.
    pub bound: f64,
}

/// Areas of all columns.
#[derive(Clone, Debug, Default)]
pub struct Areas {
    /// For each column i the sum over the other classes j of A(i|j).
    pub sums: Vec<Bounded>,
    /// For each column the area of its class against the rest.
    pub rest: Vec<Bounded>,
    /// For each pair of classes i < j the area on the difference of their scores.
    pub projected: Vec<Bounded>,
    /// The means of all these.
    pub means: Means,
}

/// Means of areas, added up as the measures themselves add them up, so that exact counts give the same bits as
/// rows. NaN for what is not counted.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// Over pairs of classes, by columns: M.
    pub columns: f64,
    /// Over columns, each against the rest.
    pub rest: f64,
    /// Over pairs of classes, by differences.
    pub projected: f64,
}

impl Default for Means {
    fn default() -> Self {
        Self { columns: f64::NAN, rest: f64::NAN, projected: f64::NAN }
    }
}

/// What the errors of a binary AUC are made of: for each class, how many rows, and the sums of the squares and
/// fourth powers of their influence values.
#[derive(Clone, Debug)]
pub struct Moments {
    /// The AUC.
    pub estimate: f64,
    /// Rows, sum of squares, sum of fourth powers: of the first class, then of the second.
    pub classes: [(u64, f64, f64); 2],
}

/// Pairs of rows: doubled wins, and those in one bin.
#[derive(Clone, Copy, Default)]
struct Pairs {
    doubled: u128,
    together: u128,
}

impl Pairs {
    fn area(self, favoured: u64, others: u64, exact: bool) -> Bounded {
        let all = favoured as f64 * others as f64;
        let bound = if exact { 0.0 } else { self.together as f64 / (2.0 * all) };
        Bounded { value: self.doubled as f64 / (2.0 * all), bound }
    }
}

impl State {
    /// The areas of all columns and pairs. Each class must have mass.
    pub fn areas(&self) -> Areas {
        let mut areas = Areas::default();
        let mut against = Vec::new(); // of each column i, the A(i|j)
        let state = self.collected();
        for (column, cells) in state.columns.iter().enumerate() {
            let own = if self.width == 1 { 1 } else { column };
            let (sum, rest) = match self.layout.class_counts {
                None => {
                    let (each, rest) = self.by_class(cells, own);
                    let mut sum = Bounded::default();
                    for area in &each {
                        sum.value += area.value;
                        sum.bound += area.bound;
                    }
                    against.push(each);
                    (sum, rest)
                }
                Some(_) => self.collapsed(cells, own),
            };
            areas.sums.push(sum);
            areas.rest.push(rest);
        }
        let classes = self.layout.classes;
        let pairs = (0..classes).flat_map(|i| (i + 1..classes).map(move |j| (i, j)));
        for ((i, j), cells) in pairs.zip(&state.pairs) {
            let mut found = Pairs::default();
            let mut below = 0;
            for place in cells.ascending() {
                let counts = cells.at(place).1;
                let (own, other) = (u128::from(counts[0]), u128::from(counts[1]));
                found.doubled += own * (2 * below + other);
                found.together += own * other;
                below += other;
            }
            let exact = cells.shift() == 0;
            areas.projected.push(found.area(self.masses[i], self.masses[j], exact));
        }
        areas.means = self.means(&areas, &against);
        areas
    }

    fn means(&self, areas: &Areas, against: &[Vec<Bounded>]) -> Means {
        let classes = self.layout.classes;
        let mean = |values: &mut dyn Iterator<Item = f64>| {
            let (mut sum, mut count) = (CompensatedSum::default(), 0.0);
            for value in values {
                sum.add(value);
                count += 1.0;
            }
            sum.value() / count // 0 / 0 where there is none
        };
        let mut columns = if self.width == 1 {
            mean(&mut areas.rest.iter().map(|area| area.value))
        } else {
            mean(&mut areas.sums.iter().map(|sum| sum.value / (classes as f64 - 1.0)))
        };
        if against.len() == classes {
            let pairs = (0..classes).flat_map(|i| (i + 1..classes).map(move |j| (i, j)));
            columns =
                mean(&mut pairs.map(|(i, j)| 0.5 * (against[i][j].value + against[j][i].value)));
        }
        Means {
            columns,
            rest: mean(&mut areas.rest.iter().map(|area| area.value)),
            projected: mean(&mut areas.projected.iter().map(|area| area.value)),
        }
    }

    /// A column whose classes are counted one by one: its class against each other, and against all of them.
    fn by_class(&self, cells: &Cells, own: usize) -> (Vec<Bounded>, Bounded) {
        let (classes, exact) = (self.layout.classes, cells.shift() == 0);
        let mut pairs = vec![Pairs::default(); classes];
        let mut below = vec![0_u128; classes];
        for place in cells.ascending() {
            let counts = cells.at(place).1;
            let favoured = u128::from(counts[own]);
            for ((pairs, below), &count) in pairs.iter_mut().zip(&mut below).zip(counts) {
                let count = u128::from(count);
                if favoured > 0 {
                    pairs.doubled += favoured * (2 * *below + count);
                    pairs.together += favoured * count;
                }
                *below += count;
            }
        }
        let (mut each, mut all) = (vec![Bounded::default(); classes], Pairs::default());
        for (class, pairs) in pairs.iter().enumerate().filter(|&(class, _)| class != own) {
            each[class] = pairs.area(self.masses[own], self.masses[class], exact);
            all.doubled += pairs.doubled;
            all.together += pairs.together;
        }
        let others = self.masses.iter().sum::<u64>() - self.masses[own];
        (each, all.area(self.masses[own], others, exact))
    }

    /// A column that knows its own class and the rest.
    fn collapsed(&self, cells: &Cells, own: usize) -> (Bounded, Bounded) {
        let exact = cells.shift() == 0;
        // Shares are of the rows that were announced, in units of 2^-80 of a class.
        let unit = 0.5_f64.powi(SHARE_BITS as i32);
        let (mut sum, mut lost) = ((0.0, 0.0), 0.0); // wins and pairs in one bin; what was rounded off
        let mut all = Pairs::default();
        let (mut below, mut below_share) = (0_u128, 0_u128);
        for place in cells.ascending() {
            let counts = cells.at(place).1;
            let share = (u128::from(counts[lane::SHARE]) << lane::LOW_BITS)
                + u128::from(counts[lane::SHARE_LOW]);
            let (favoured, rest) = (u128::from(counts[lane::OWN]), u128::from(counts[lane::REST]));
            if favoured > 0 {
                all.doubled += favoured * (2 * below + rest);
                all.together += favoured * rest;
                let term = favoured as f64 * (2 * below_share + share) as f64;
                let next = sum.0 + term;
                lost += if sum.0 >= term { (sum.0 - next) + term } else { (term - next) + sum.0 };
                sum.0 = next;
                sum.1 += favoured as f64 * share as f64;
            }
            below += rest;
            below_share += share;
        }
        let mass = self.masses[own] as f64;
        let value = (sum.0 + lost) * unit / (2.0 * mass);
        let bound = if exact { 0.0 } else { sum.1 * unit / (2.0 * mass) };
        let others = self.masses.iter().sum::<u64>() - self.masses[own];
        (Bounded { value, bound }, all.area(self.masses[own], others, exact))
    }

    /// What the errors of a binary AUC are made of: two classes, the column of the second, rows that weigh one.
    pub fn moments(&self) -> Moments {
        let state = self.collected();
        let cells = state.cells(1);
        let lanes =
            if self.layout.class_counts.is_some() { [lane::REST, lane::OWN] } else { [0, 1] };
        let order = cells.ascending();
        let sizes = [self.masses[0], self.masses[1]];
        let mut doubled = 0_u128;
        let mut below = 0_u128;
        for &place in &order {
            let counts = cells.at(place).1;
            let (zero, one) = (u128::from(counts[lanes[0]]), u128::from(counts[lanes[1]]));
            doubled += one * (2 * below + zero);
            below += zero;
        }
        let estimate = doubled as f64 / (2.0 * sizes[0] as f64 * sizes[1] as f64);
        let mut classes = [(sizes[0], 0.0, 0.0), (sizes[1], 0.0, 0.0)];
        let mut under = [0_u64; 2];
        for &place in &order {
            let counts = cells.at(place).1;
            let here = [counts[lanes[0]], counts[lanes[1]]];
            for class in 0..2 {
                let other = 1 - class;
                let beaten = (under[other] as f64 + here[other] as f64 / 2.0) / sizes[other] as f64;
                let placement = if class == 1 { beaten } else { 1.0 - beaten };
                let moved = (placement - estimate) / sizes[class] as f64;
                let square = moved * moved;
                classes[class].1 += here[class] as f64 * square;
                classes[class].2 += here[class] as f64 * square * square;
            }
            for class in 0..2 {
                under[class] += here[class];
            }
        }
        Moments { estimate, classes }
    }
}
