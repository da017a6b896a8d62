//! Where the counts of a bin are: a table by the bin itself where bins are near each other, else a hash table.

/// Bins this far apart have a table of their own; it is written where bins are only, so that the rest of its
/// memory is never touched.
const WIDEST: u64 = 1 << 21;
/// The factor of Fibonacci hashing, 2^64 over the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The place of each bin, plus one; 0 stands for none.
#[derive(Debug)]
pub enum Index {
    /// By the bin, from the first one on.
    Direct {
        /// The bin of the first entry.
        base: u64,
        /// Places.
        places: Vec<u32>,
    },
    /// By a hash of the bin; at most half full.
    Hash {
        /// How far a hash is shifted to become an entry.
        shift: u32,
        /// Bins with their places.
        entries: Vec<(u64, u32)>,
    },
}

impl Index {
    /// The index of bins whose places are their order.
    pub fn of(bins: &[u64]) -> Self {
        let (Some(&low), Some(&high)) = (bins.iter().min(), bins.iter().max()) else {
            return Self::hash(&[]);
        };
        let span = high - low;
        if span >= WIDEST / 4 || (bins.len() as u64) < span >> 7 {
            return Self::hash(bins);
        }
        // Some room on both sides: scores that come in order would outgrow it every time.
        let room = (span / 2).max(256);
        let base = low.saturating_sub(room);
        let mut places = vec![0; (high - base + room + 1) as usize];
        for (place, bin) in bins.iter().enumerate() {
            places[(bin - base) as usize] = place as u32 + 1;
        }
        Self::Direct { base, places }
    }

    fn hash(bins: &[u64]) -> Self {
        let size = (4 * bins.len()).next_power_of_two().max(64);
        let (shift, mut entries) = (64 - size.trailing_zeros(), vec![(0, 0); size]);
        for (place, &bin) in bins.iter().enumerate() {
            let at = vacant(&entries, shift, bin);
            entries[at] = (bin, place as u32 + 1);
        }
        Self::Hash { shift, entries }
    }

    /// The place of a bin.
    #[inline(always)]
    pub fn find(&self, bin: u64) -> Option<usize> {
        match self {
            Self::Direct { base, places } => {
                let at = bin.wrapping_sub(*base);
                let place = *places.get(usize::try_from(at).ok()?)?;
                (place as usize).checked_sub(1)
            }
            Self::Hash { shift, entries } => {
                (entries[vacant(entries, *shift, bin)].1 as usize).checked_sub(1)
            }
        }
    }

    /// Adds the last of the bins, which is new.
    pub fn push(&mut self, bins: &[u64]) {
        let Some(&bin) = bins.last() else { return };
        let place = bins.len() as u32;
        match self {
            Self::Direct { base, places } => {
                let at = bin.wrapping_sub(*base);
                match usize::try_from(at).ok().and_then(|at| places.get_mut(at)) {
                    Some(entry) => *entry = place,
                    None => *self = Self::of(bins),
                }
            }
            Self::Hash { shift, entries } if 2 * bins.len() <= entries.len() => {
                let at = vacant(entries, *shift, bin);
                entries[at] = (bin, place);
            }
            Self::Hash { .. } => *self = Self::of(bins),
        }
    }
}

/// The entry of a bin, or the one where it belongs.
#[inline(always)]
fn vacant(entries: &[(u64, u32)], shift: u32, bin: u64) -> usize {
    let mut at = (bin.wrapping_mul(GOLDEN) >> shift) as usize;
    while entries[at].1 != 0 && entries[at].0 != bin {
        at = (at + 1) & (entries.len() - 1);
    }
    at
}
