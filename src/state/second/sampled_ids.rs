//! A sample of row ids, by which ids that several rows have are noticed.
//!
//! Of all ids those with the least hashes are kept, each with how often it came: a sample of the distinct ids that does
//! not depend on the order of rows, shards or merges (the "bottom-k" of E. Cohen, Size-estimation framework with
//! applications to transitive closure and reachability, J. Comput. Syst. Sci. 55, 1997). An id in there that came twice
//! is a proof; if a share f of all ids came twice, one of them is in there with probability 1 - (1 - f)^4096.

use std::collections::BTreeMap;

use crate::resample::stream::mix;
use crate::state::wire::{Reader, Writer};

/// Ids that are kept.
const MOST: usize = 4096;
/// So that small numbers, which are what ids often are, have large hashes too; no id has the hash of another.
const SALT: u64 = 0x9E37_79B9_7F4A_7C15;

/// Ids by their hashes: how often each came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SampledIds(BTreeMap<u64, u64>);

impl SampledIds {
    /// Takes the ids of rows.
    pub fn take(&mut self, ids: &[u64]) {
        let mut bound = self.bound();
        for &id in ids {
            let hash = mix(id ^ SALT);
            if hash <= bound {
                self.add(hash, 1);
                bound = self.bound();
            }
        }
    }

    /// The largest hash that has a place.
    fn bound(&self) -> u64 {
        if self.0.len() < MOST {
            u64::MAX
        } else {
            self.0.last_key_value().map_or(0, |(&hash, _)| hash)
        }
    }

    fn add(&mut self, hash: u64, count: u64) {
        let own = self.0.entry(hash).or_insert(0);
        *own = own.saturating_add(count);
        if self.0.len() > MOST {
            self.0.pop_last();
        }
    }

    /// Takes what another sample has.
    pub fn merge(&mut self, other: &Self) {
        other.0.iter().for_each(|(&hash, &count)| self.add(hash, count));
    }

    /// How many ids were looked at, how many of them came more than once, and how often one came at most.
    pub fn repeated(&self) -> (usize, usize, u64) {
        let several = self.0.values().filter(|&&count| count > 1).count();
        (self.0.len(), several, self.0.values().copied().max().unwrap_or(0))
    }

    /// Writes the sample.
    pub fn write(&self, out: &mut Writer) {
        out.number(self.0.len() as u64);
        let mut last = 0;
        for (&hash, &count) in &self.0 {
            out.numbers(&[hash - last, count]);
            last = hash;
        }
    }

    /// Reads a sample.
    pub fn read(input: &mut Reader<'_>) -> Option<Self> {
        let (mut found, mut last) = (Self::default(), 0_u64);
        for k in 0..input.count().filter(|&count| count <= MOST)? {
            let step = input.number().filter(|&step| step > 0 || k == 0)?;
            last = last.checked_add(step)?;
            found.0.insert(last, input.number().filter(|&count| count > 0)?);
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_depends_on_the_ids_alone() {
        let ids: Vec<u64> = (0..20_000).collect();
        let (mut all, mut back, mut half) = Default::default();
        let take = |sample: &mut SampledIds, ids: &[u64]| sample.take(ids);
        take(&mut all, &ids);
        let reversed: Vec<u64> = ids.iter().rev().copied().collect();
        take(&mut back, &reversed[..7000]);
        take(&mut half, &reversed[7000..]);
        back.merge(&half);
        assert_eq!(all, back);
        assert_eq!(all.repeated(), (MOST, 0, 1));
        let mut out = Writer(Vec::new());
        all.write(&mut out);
        assert_eq!(SampledIds::read(&mut Reader(&out.0)), Some(all.clone()));
        all.take(&ids[..4000]);
        let (looked_at, several, most) = all.repeated();
        assert_eq!((looked_at, most), (MOST, 2));
        assert!((700..950).contains(&several), "{several}"); // a fifth of them came twice
        half.take(&[7; 30_000]);
        assert!(half.repeated().2 >= 1);
    }

    #[test]
    fn an_id_that_is_put_out_does_not_come_back_with_a_smaller_count() {
        // A hash above the bound never returns: the bound only falls.
        let (mut one, mut other) = (SampledIds::default(), SampledIds::default());
        let ids: Vec<u64> = (0..10_000).chain(0..10_000).collect();
        one.take(&ids);
        ids.iter().for_each(|&id| other.take(&[id]));
        assert_eq!(one, other);
        assert_eq!(one.repeated(), (MOST, MOST, 2));
    }
}
