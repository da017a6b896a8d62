//! What travels between shards: bytes with a name, a version and a checksum, and the numbers in them.
//!
//! ```text
//! name, version     which kind of bytes
//! body              numbers of 7 bits in a byte, the lowest first, a high bit where more follow; tables packed
//! CRC-32 of it all  4 bytes, the lowest first
//! ```
//!
//! The CRC notices every change of a single byte, as of any 32 bits in a row.

use crate::error::{Error, Result};

/// A kind of bytes.
pub struct Kind {
    /// What the bytes begin with.
    pub name: &'static str,
    /// Of the bytes; another one is refused.
    pub version: u8,
}

impl Kind {
    /// The beginning of such bytes.
    pub fn begin(&self) -> Writer {
        let mut out = Writer(self.name.as_bytes().to_vec());
        out.0.push(self.version);
        out
    }

    /// The body of such bytes, if they came as they were sent.
    pub fn open<'a>(&self, bytes: &'a [u8]) -> Result<Reader<'a>> {
        let (name, head) = (self.name, self.name.len() + 1);
        if bytes.len() < head + 4 || !bytes.starts_with(name.as_bytes()) {
            return Err(Error::Domain(format!("these are not the bytes of a {name}")));
        }
        let (body, sum) = bytes.split_at(bytes.len() - 4);
        if crc32fast::hash(body).to_le_bytes() != sum {
            return Err(Error::Domain(format!(
                "the bytes of the {name} were changed or cut off on the way (their checksum is wrong); \
                 send them again"
            )));
        }
        if bytes[head - 1] != self.version {
            return Err(Error::Domain(format!(
                "the bytes are a {name} of version {}; this polyroc reads version {}: use one polyroc \
                 for all shards",
                bytes[head - 1],
                self.version
            )));
        }
        Ok(Reader(&body[head..]))
    }

    /// The error for bytes that say what cannot be.
    pub fn contradiction(&self) -> Error {
        Error::Domain(format!(
            "the bytes of the {} contradict themselves; make them again",
            self.name
        ))
    }
}

/// Bytes on their way out.
pub struct Writer(pub Vec<u8>);

impl Writer {
    /// A number.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// Some numbers.
    pub fn numbers(&mut self, numbers: &[u64]) {
        for &number in numbers {
            self.number(number);
        }
    }

    /// A number that may be negative, in up to 128 bits.
    pub fn signed(&mut self, number: i128) {
        let mut left = (number << 1 ^ number >> 127) as u128;
        while left >= 0x80 {
            self.0.push(left as u8 | 0x80);
            left >>= 7;
        }
        self.0.push(left as u8);
    }

    /// Bytes with their number.
    pub fn text(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// The bytes with their checksum.
    pub fn seal(mut self) -> Vec<u8> {
        let sum = crc32fast::hash(&self.0);
        self.0.extend_from_slice(&sum.to_le_bytes());
        self.0
    }
}

/// What is left to be read.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    /// A number.
    pub fn number(&mut self) -> Option<u64> {
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
    pub fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.0.len()).then_some(count)
    }

    /// So many numbers.
    pub fn numbers(&mut self, count: usize) -> Option<Vec<u64>> {
        (0..count).map(|_| self.number()).collect()
    }

    /// A number that may be negative.
    pub fn signed(&mut self) -> Option<i128> {
        let (mut number, mut shift) = (0_u128, 0);
        loop {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            let bits = u128::from(byte & 0x7F);
            if shift > 127 || (bits << shift) >> shift != bits {
                return None;
            }
            number |= bits << shift;
            shift += 7;
            if byte < 0x80 {
                return Some((number >> 1) as i128 ^ -((number & 1) as i128));
            }
        }
    }

    /// So many bytes.
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// Bytes with their number.
    pub fn text(&mut self) -> Option<&'a [u8]> {
        let length = self.count()?;
        self.take(length)
    }
}
