//! One wheel for all processors: the same code compiled for several instruction sets.
//!
//! A [`Kernel`] is a loop whose body is inlined whole, so that compiling its caller for another
//! instruction set compiles the loop for it too. What a kernel returns never depends on the choice:
//! there is one body, and the compiler does not fuse products and sums where the code has not asked.
//! A [`LaneKernel`] may also ask for the few steps that compilers do not find by themselves, see
//! [`instructions`]. `POLYROC_SIMD=plain` in the environment forces the lowest level, `avx2` the next,
//! `avx512` the one after.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub mod instructions;
mod portable;
pub mod weights;

use std::sync::OnceLock;

use self::instructions::Instructions;
use self::portable::Portable;

/// An instruction set that kernels are compiled for, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What every processor of the architecture has.
    Plain,
    /// AVX2 and the bit instructions that came with it (x86-64-v3).
    Avx2,
    /// AVX-512 with its byte and word instructions (x86-64-v4); for [`LaneKernel`]s, and where [`launch_wide`] is asked.
    Avx512,
}

/// Work that runs at the best level there is. `run` must be `#[inline(always)]`, and so must be what
/// it calls in its loops.
pub trait Kernel {
    /// What the work gives.
    type Output;
    /// Does the work.
    fn run(self) -> Self::Output;
}

/// As [`Kernel`], for loops over many replicates at once.
pub trait LaneKernel {
    /// What the work gives.
    type Output;
    /// Does the work.
    fn run<I: Instructions>(self) -> Self::Output;
}

/// Runs a kernel at the best level of this processor.
#[inline]
pub fn launch<K: Kernel>(kernel: K) -> K::Output {
    launch_at(level(), kernel)
}

/// Runs a kernel at a level, or at the best there is below it.
#[inline]
#[allow(unsafe_code)]
pub fn launch_at<K: Kernel>(level: Level, kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if level >= Level::Avx2 && best() >= Level::Avx2 {
        // SAFETY: best() found the features that launch_avx2 is compiled with.
        return unsafe { launch_avx2(kernel) };
    }
    let _ = level;
    kernel.run()
}

/// As [`launch`], up to AVX-512: for long loops of products of 64 bits, which lower levels put together from many.
#[inline]
#[allow(unsafe_code)]
pub fn launch_wide<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if level() >= Level::Avx512 {
        // SAFETY: level() is at most the best, which found the features that launch_avx512 is compiled with.
        return unsafe { launch_avx512(kernel) };
    }
    launch(kernel)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
fn launch_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
fn launch_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

/// Runs a kernel of lanes at the best level of this processor.
#[inline]
pub fn launch_lanes<K: LaneKernel>(kernel: K) -> K::Output {
    launch_lanes_at(level(), kernel)
}

/// Runs a kernel of lanes at a level, or at the best there is below it.
#[inline]
#[allow(unsafe_code)]
pub fn launch_lanes_at<K: LaneKernel>(level: Level, kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    match level.min(best()) {
        // SAFETY: best() found the features that the function is compiled with.
        Level::Avx512 => return unsafe { lanes_avx512(kernel) },
        // SAFETY: likewise.
        Level::Avx2 => return unsafe { lanes_avx2(kernel) },
        Level::Plain => {}
    }
    let _ = level;
    kernel.run::<Portable>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
fn lanes_avx2<K: LaneKernel>(kernel: K) -> K::Output {
    kernel.run::<avx2::Avx2>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
fn lanes_avx512<K: LaneKernel>(kernel: K) -> K::Output {
    kernel.run::<avx2::Avx2>()
}

/// The level in use: the processor's best, or a lower one that the environment asks for.
pub fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| match std::env::var("POLYROC_SIMD").as_deref() {
        Ok("plain") => Level::Plain,
        Ok("avx2") => best().min(Level::Avx2),
        _ => best(),
    })
}

fn best() -> Level {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
    {
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
        {
            return Level::Avx512;
        }
        return Level::Avx2;
    }
    Level::Plain
}
