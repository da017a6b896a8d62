//! What sums say, as numbers for the formulas of errors.

use super::exact::Exact;
use super::groups::GROUP_BITS;
use super::replicates::{Chosen, VALUE_BITS, of_groups};
use super::sampled_ids::SampledIds;
use super::sums::Sums;

/// The rows of each class in each group.
pub struct GroupCells {
    /// The group of each cell, numbered from 0 in the order of their ids.
    pub groups: Vec<u32>,
    /// Its class.
    pub classes: Vec<u32>,
    /// What its rows weigh.
    pub masses: Vec<f64>,
    /// For each number, the sum of weight times value over the rows of each cell.
    pub sums: Vec<Vec<f64>>,
}

impl Sums {
    /// What masses are counted in.
    fn unit(&self) -> f64 {
        0.5_f64.powi(self.tables().first().fraction as i32)
    }

    /// The weight of each class.
    pub fn weights(&self) -> Vec<f64> {
        self.masses.iter().map(|&mass| mass as f64 * self.unit()).collect()
    }

    /// Whether rows that weigh something do not all weigh the same.
    pub fn uneven(&self) -> bool {
        self.extremes.0 < self.extremes.1
    }

    /// Of each class the sum of squared shares, as [`Sums::powers`].
    pub fn shares(&self) -> Vec<Vec<u8>> {
        self.shares.iter().map(Exact::to_le_bytes).collect()
    }

    /// A sample of the ids that came.
    pub fn ids(&self) -> &SampledIds {
        &self.ids
    }

    /// By class and number the sums of values times shares of all rows, as [`Sums::powers`].
    pub fn crossed(&self) -> Vec<Vec<u8>> {
        self.crossed.iter().map(Exact::to_le_bytes).collect()
    }

    /// By class, number or difference, and power: sums as signed whole numbers of 2^-384, in bytes.
    pub fn powers(&self) -> Vec<Vec<Vec<u8>>> {
        let each = self.powers.iter();
        each.map(|powers| powers.iter().map(Exact::to_le_bytes).collect()).collect()
    }

    /// The ids of all groups, in ascending order.
    pub fn group_ids(&self) -> Vec<u64> {
        let sorted = self.groups.iter().flat_map(|groups| groups.sorted());
        let mut ids: Vec<u64> = sorted.map(|((id, _), _)| id).collect();
        ids.dedup();
        ids
    }

    /// The cells of groups.
    pub fn group_cells(&self) -> GroupCells {
        let numbers = self.tables().numbers();
        let (mut groups, mut classes, mut masses) = (Vec::new(), Vec::new(), Vec::new());
        let mut sums = vec![Vec::new(); numbers];
        let (mut last, mut group) = (None, 0);
        let unit = self.unit();
        let scale = unit * 0.5_f64.powi(GROUP_BITS);
        for ((id, class), cell) in self.groups.iter().flat_map(|groups| groups.sorted()) {
            if last.is_some_and(|last| last != id) {
                group += 1;
            }
            last = Some(id);
            groups.push(group);
            classes.push(class);
            masses.push(cell.mass as f64 * unit);
            for (sums, &sum) in sums.iter_mut().zip(&cell.sums) {
                sums.push(sum as f64 * scale);
            }
        }
        GroupCells { groups, classes, masses, sums }
    }

    /// By class: the sums over its rows of the weights of each replicate, and of these times each number.
    pub fn replicate_sums(&self) -> Vec<f64> {
        if let Some(replicates) = &self.replicates {
            let unit = 0.5_f64.powi(VALUE_BITS);
            return replicates.sums.iter().map(|&sum| sum as f64 * unit).collect();
        }
        let options = &self.tables().options;
        let (count, cells) = (options.replicates as usize, self.group_cells());
        let sorted = self.groups.iter().flat_map(|groups| groups.sorted());
        let ids: Vec<u64> = sorted.map(|((id, _), _)| id).collect();
        let mut found = Vec::new();
        for class in 0..self.rows.len() {
            let mine = || (0..ids.len()).filter(|&cell| cells.classes[cell] as usize == class);
            let of = |all: &[f64]| mine().map(|cell| all[cell]).collect::<Vec<f64>>();
            let lists = std::iter::once(&cells.masses).chain(&cells.sums);
            let values: Vec<_> = lists.map(|all| of(all)).collect();
            let ids: Vec<u64> = mine().map(|cell| ids[cell]).collect();
            found.extend(of_groups(
                options.seed,
                count,
                &Chosen { class, ids: &ids, values: &values },
            ));
        }
        found
    }
}
