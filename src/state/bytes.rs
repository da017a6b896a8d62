//! A state as bytes, the same for the same rows whatever way they came, and back.
//!
//! ```text
//! "polyroc state", version    14 bytes
//! layout                      classes, key, max_bins, tables, class counts, note
//! rows                        columns of scores, checksum, weights, rows and mass of each class
//! tables                      bits dropped, number of bins, steps from bin to bin, lanes of each bin
//! CRC-32 of all that          4 bytes, the lowest first
//! ```
//!
//! Numbers have 7 bits in a byte, the lowest first, and a high bit where more follow. The CRC notices every change
//! of a single byte, as of any 32 bits in a row.

use super::State;
use super::cells::Cells;
use super::keys::Key;
use super::layout::{Layout, lane};
use super::masses::FRACTION;
use crate::error::{Error, Result};

const MAGIC: &[u8] = b"polyroc state";
/// Of the bytes; another one is refused.
pub const VERSION: u8 = 1;

impl State {
    /// The state as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(MAGIC.to_vec());
        out.0.push(VERSION);
        let layout = &self.layout;
        out.number(layout.classes as u64);
        out.number(u64::from(layout.key == Key::Float));
        out.number(layout.max_bins as u64);
        out.number(u64::from(layout.by_column) | u64::from(layout.by_pair) << 1);
        out.number(u64::from(layout.class_counts.is_some()));
        out.numbers(layout.class_counts.as_deref().unwrap_or_default());
        out.number(layout.note.len() as u64);
        out.0.extend_from_slice(&layout.note);
        out.number(self.width as u64);
        out.0.extend_from_slice(&self.checksum.to_le_bytes());
        out.number(u64::from(self.weighted) | u64::from(self.fraction > 0) << 1);
        out.numbers(&self.rows);
        if self.weighted {
            out.numbers(&self.masses);
        }
        for cells in self.columns.iter().chain(&self.pairs) {
            out.cells(cells, layout.class_counts.is_some() && cells.lanes() == lane::COUNT);
        }
        let sum = crc32fast::hash(&out.0);
        out.0.extend_from_slice(&sum.to_le_bytes());
        out.0
    }

    /// The state of such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let head = MAGIC.len() + 1;
        if bytes.len() < head + 4 || !bytes.starts_with(MAGIC) {
            return Err(Error::Domain("these are not the bytes of a polyroc state".into()));
        }
        let (body, sum) = bytes.split_at(bytes.len() - 4);
        if crc32fast::hash(body).to_le_bytes() != sum {
            return Err(Error::Domain(
                "the bytes of the state were changed or cut off on the way (their checksum is wrong); \
                 send them again"
                    .into(),
            ));
        }
        if bytes[head - 1] != VERSION {
            return Err(Error::Domain(format!(
                "the bytes are a state of version {}; this polyroc reads version {VERSION}: use one \
                 polyroc for all shards",
                bytes[head - 1]
            )));
        }
        let mut input = Reader(&body[head..]);
        let state = input.state().ok_or_else(|| {
            Error::Domain("the bytes of the state contradict themselves; make them again".into())
        })?;
        Ok(state)
    }
}

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn numbers(&mut self, numbers: &[u64]) {
        for &number in numbers {
            self.number(number);
        }
    }

    fn cells(&mut self, cells: &Cells, shares: bool) {
        self.number(u64::from(cells.shift()));
        self.number(cells.len() as u64);
        let order = cells.ascending();
        let mut last = 0;
        for &place in &order {
            let bin = cells.at(place).0;
            self.number(bin - last);
            last = bin;
        }
        for &place in &order {
            let lanes = cells.at(place).1;
            if shares {
                self.numbers(&lanes[..lane::SHARE]);
                let low = lanes[lane::SHARE_LOW];
                self.number(lanes[lane::SHARE] + (low >> lane::LOW_BITS));
                self.number(low & u64::from(u32::MAX));
            } else {
                self.numbers(lanes);
            }
        }
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0_u64, 0);
        loop {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            let bits = u64::from(byte & 0x7F);
            if shift > 63 || (bits << shift) >> shift != bits {
                return None;
            }
            number |= bits << shift;
            shift += 7;
            if byte < 0x80 {
                return Some(number);
            }
        }
    }

    /// A number of things of which each takes a byte at least.
    fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.0.len()).then_some(count)
    }

    fn numbers(&mut self, count: usize) -> Option<Vec<u64>> {
        (0..count).map(|_| self.number()).collect()
    }

    fn take(&mut self, count: usize) -> Option<&[u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn state(&mut self) -> Option<State> {
        let classes = self.count()?;
        let key = if self.number()? == 0 { Key::Fold } else { Key::Float };
        let max_bins = usize::try_from(self.number()?).ok()?;
        let tables = self.number()?;
        let known = self.number()? != 0;
        let class_counts = if known { Some(self.numbers(classes)?) } else { None };
        let length = self.count()?;
        let note = self.take(length)?.to_vec();
        let (by_column, by_pair) = (tables & 1 != 0, tables & 2 != 0);
        let layout = Layout { classes, key, max_bins, by_column, by_pair, class_counts, note };
        let mut state = State::new(layout).ok()?;
        let width = usize::try_from(self.number()?).ok()?;
        state.checksum = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
        let weights = self.number()?;
        state.weighted = weights & 1 != 0;
        state.fraction = if weights & 2 != 0 { FRACTION } else { 0 };
        state.rows = self.numbers(classes)?;
        state.masses = if state.weighted { self.numbers(classes)? } else { state.rows.clone() };
        state.layout.admit_all(&state.masses).ok()?;
        if width > 0 {
            state.widen(width).ok()?;
        }
        for cells in state.columns.iter_mut().chain(&mut state.pairs) {
            *cells = self.cells(cells.lanes(), max_bins)?;
        }
        (self.0.is_empty() && state.adds_up()).then_some(state)
    }

    fn cells(&mut self, lanes: usize, most: usize) -> Option<Cells> {
        let shift = u32::try_from(self.number()?).ok().filter(|&shift| shift < 64)?;
        let count = self.count().filter(|&count| count <= most)?;
        let (mut bins, mut last) = (Vec::with_capacity(count), 0_u64);
        for k in 0..count {
            let step = self.number().filter(|&step| step > 0 || k == 0)?;
            last = last.checked_add(step).filter(|bin| bin << shift >> shift == *bin)?;
            bins.push(last);
        }
        let counts = self.numbers(count.checked_mul(lanes)?)?;
        Some(Cells::told(lanes, most, shift, bins, counts))
    }
}

impl State {
    /// Whether every table holds all rows.
    fn adds_up(&self) -> bool {
        let total = |cells: &Cells, lane: usize| -> u128 {
            (0..cells.len()).map(|place| u128::from(cells.at(place).1[lane])).sum()
        };
        let masses: Vec<u128> = self.masses.iter().map(|&mass| mass.into()).collect();
        let classes = self.layout.classes;
        let columns = self.columns.iter().enumerate().all(|(column, cells)| {
            if self.layout.class_counts.is_some() {
                let own = masses[if self.width == 1 { 1 } else { column }];
                total(cells, lane::OWN) == own
                    && total(cells, lane::REST) == masses.iter().sum::<u128>() - own
            } else {
                (0..classes).all(|class| total(cells, class) == masses[class])
            }
        });
        let pairs = (0..classes).flat_map(|i| (i + 1..classes).map(move |j| (i, j)));
        columns
            && pairs
                .zip(&self.pairs)
                .all(|((i, j), cells)| total(cells, 0) == masses[i] && total(cells, 1) == masses[j])
    }
}
