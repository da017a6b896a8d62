//! Tables and sums as bytes, and back.

use std::sync::Arc;

use super::exact::Exact;
use super::groups::Groups;
use super::sampled_ids::SampledIds;
use super::sums::Sums;
use super::tables::{Model, Options, Tables};
use super::worth::Kind;
use crate::error::{Error, Result};
use crate::resample::stream::mix;
use crate::state::State;
use crate::state::wire::{self, Reader};

const TABLES: wire::Kind = wire::Kind { name: "polyroc tables", version: 2 };
const SUMS: wire::Kind = wire::Kind { name: "polyroc sums", version: 2 };

impl Tables {
    /// The tables as bytes: the states, of which tables are made again where they arrive.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.written(State::to_bytes)
    }

    fn written(&self, state_bytes: impl Fn(&State) -> Vec<u8>) -> Vec<u8> {
        let mut out = TABLES.begin();
        let options = &self.options;
        out.number(options.kinds.len() as u64);
        out.numbers(&options.kinds.iter().map(|&kind| kind as u64).collect::<Vec<_>>());
        out.number(options.groups.into());
        out.number(options.replicates);
        out.number(options.seed);
        out.number(options.beside.into());
        out.text(&options.note);
        out.number(self.models.len() as u64);
        for state in self.states() {
            out.text(&state_bytes(state));
        }
        out.seal()
    }

    /// The tables of such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut input = TABLES.open(bytes)?;
        let (options, states) = Self::read(&mut input).ok_or_else(|| TABLES.contradiction())?;
        let models = states
            .into_iter()
            .map(|state| Ok(Model::new(State::from_bytes(state)?, &options.kinds)))
            .collect::<Result<Vec<_>>>()?;
        Self::new(models, options)
    }

    fn read<'a>(input: &mut Reader<'a>) -> Option<(Options, Vec<&'a [u8]>)> {
        let count = input.count()?;
        let kinds = input.numbers(count)?.into_iter();
        let kinds =
            kinds.map(|kind| Kind::ALL.get(kind as usize).copied()).collect::<Option<_>>()?;
        let groups = input.number()? != 0;
        let (replicates, seed, beside) = (input.number()?, input.number()?, input.number()? != 0);
        let note = input.text()?.to_vec();
        let count = input.count()?;
        let states = (0..count).map(|_| input.text()).collect::<Option<Vec<_>>>()?;
        let options = Options { kinds, groups, replicates, seed, beside, note };
        input.0.is_empty().then_some((options, states))
    }

    /// A hash of what tells these tables from others.
    pub(super) fn own_fingerprint(&self) -> u64 {
        let hash = |hash: u64, eight: &[u8]| {
            let mut word = [0; 8];
            word[..eight.len()].copy_from_slice(eight);
            mix(hash.rotate_left(5) ^ u64::from_le_bytes(word))
        };
        self.written(State::identity).chunks(8).fold(0, hash)
    }
}

impl Sums {
    /// The sums as bytes, the same for the same rows.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = SUMS.begin();
        out.0.extend_from_slice(&self.tables().fingerprint.to_le_bytes());
        out.numbers(&self.rows);
        out.numbers(&self.positive);
        out.numbers(&self.masses);
        for sum in &self.checksums {
            out.0.extend_from_slice(&sum.to_le_bytes());
        }
        out.numbers(&[self.extremes.0, self.extremes.1]);
        let sums = self.shares.iter().chain(&self.crossed).chain(self.powers.iter().flatten());
        sums.for_each(|sum| sum.write(&mut out));
        self.ids.write(&mut out);
        if let Some(groups) = &self.groups {
            groups.write(&mut out);
        }
        if let Some(replicates) = &self.replicates {
            replicates.write(&mut out);
        }
        out.seal()
    }

    /// The sums of such bytes, which were made with these tables.
    pub fn from_bytes(bytes: &[u8], tables: Arc<Tables>) -> Result<Self> {
        let mut input = SUMS.open(bytes)?;
        if input.take(8) != Some(&tables.fingerprint.to_le_bytes()[..]) {
            return Err(Error::Domain(
                "these sums were made with other tables; broadcast one set of tables to all shards"
                    .into(),
            ));
        }
        let mut sums = Self::new(tables);
        sums.read(&mut input).ok_or_else(|| SUMS.contradiction())?;
        Ok(sums)
    }

    fn read(&mut self, input: &mut Reader<'_>) -> Option<()> {
        let (classes, numbers) = (self.rows.len(), self.tables().numbers());
        self.rows = input.numbers(classes)?;
        self.positive = input.numbers(classes)?;
        self.masses = input.numbers(classes)?;
        for sum in &mut self.checksums {
            *sum = u64::from_le_bytes(input.take(8)?.try_into().ok()?);
        }
        self.extremes = (input.number()?, input.number()?);
        let sums = self.shares.iter_mut().chain(&mut self.crossed);
        for sum in sums.chain(self.powers.iter_mut().flatten()) {
            *sum = Exact::read(input)?;
        }
        self.ids = SampledIds::read(input)?;
        if let Some(groups) = &mut self.groups {
            *groups = Groups::read(input, numbers, classes)?;
        }
        if let Some(replicates) = &mut self.replicates {
            replicates.read(input)?;
        }
        input.0.is_empty().then_some(())
    }
}
