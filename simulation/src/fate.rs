//! Time and chance, as one seed has them. On the simulation's thread every clock shows the runtime's paused time and every
//! random number comes from the seed, whichever library asks: the standard library, `rand` and `uuid` all end at the two C
//! functions that stand here in place of the system's. Other threads get the system's own.

use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_void};
use std::time::Duration;

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use tokio::time::Instant;

/// When every simulated world begins, in seconds of the calendar: a Thursday in October 2026, 09:00 UTC.
const BEGINNING_S: i64 = 1_790_845_200;
/// What the monotonic clock shows then.
const BOOTED_S: i64 = 1_000;

thread_local! {
    /// The state of the system's random numbers; `None` on threads that are not simulated.
    static SYSTEM: Cell<Option<u64>> = const { Cell::new(None) };
    /// When the runtime's clock began.
    static BEGAN: Cell<Option<Instant>> = const { Cell::new(None) };
    /// How far the wall clock was put wrong, in milliseconds.
    static JUMP_MS: Cell<i64> = const { Cell::new(0) };
    /// The furthest it ever was ahead.
    static AHEAD_MS: Cell<i64> = const { Cell::new(0) };
    /// The world's own chance, apart from what libraries draw.
    static CHANCE: RefCell<SmallRng> = RefCell::new(SmallRng::seed_from_u64(0));
}

/// Gives this thread its seed. Before the runtime is made.
pub(crate) fn seed(seed: u64) {
    SYSTEM.set(Some(seed ^ 0x5bd1_e995_9d1c_a3d7));
    CHANCE.with_borrow_mut(|chance| *chance = SmallRng::seed_from_u64(seed));
}

/// Lets time begin. Within the runtime.
pub(crate) fn begin() {
    BEGAN.set(Some(Instant::now()));
}

/// How long the world has lasted.
pub(crate) fn elapsed() -> Duration {
    BEGAN.get().map_or(Duration::ZERO, |began| began.elapsed())
}

/// Puts the wall clock forward or back; the monotonic one goes on as it was (R18).
pub(crate) fn jump(ms: i64) {
    JUMP_MS.set(JUMP_MS.get() + ms);
    AHEAD_MS.set(AHEAD_MS.get().max(JUMP_MS.get()));
}

/// Puts the wall clock right again, should it be behind what it has shown before.
pub(crate) fn set_right() {
    JUMP_MS.set(AHEAD_MS.get());
}

/// A number below `end`.
pub(crate) fn below(end: u64) -> u64 {
    CHANCE.with_borrow_mut(|chance| chance.random_range(0..end.max(1)))
}

/// True in so many of a hundred cases.
pub(crate) fn percent(often: u64) -> bool {
    below(100) < often
}

/// Waits up to `longest` milliseconds of the world's time.
pub(crate) async fn dawdle(longest: u64) {
    tokio::time::sleep(Duration::from_millis(below(longest) + 1)).await;
}

fn system_number() -> Option<u64> {
    let state = SYSTEM.get()?.wrapping_add(0x9e37_79b9_7f4a_7c15);
    SYSTEM.set(Some(state));
    // SplitMix64.
    let mut mixed = state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    Some(mixed ^ (mixed >> 31))
}

/// In place of the system's function of this name.
///
/// # Safety
/// `buffer` must have room for `length` bytes, as the system's demands too.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn getrandom(buffer: *mut c_void, length: usize, flags: u32) -> isize {
    if SYSTEM.get().is_none() {
        // SAFETY: the very call that was asked for.
        let got = unsafe { libc::syscall(libc::SYS_getrandom, buffer, length, flags) };
        return isize::try_from(got).unwrap_or(-1);
    }
    // SAFETY: the caller promises the room.
    let bytes = unsafe { std::slice::from_raw_parts_mut(buffer.cast::<u8>(), length) };
    for chunk in bytes.chunks_mut(8) {
        let number = system_number().unwrap_or_default().to_le_bytes();
        chunk.copy_from_slice(&number[..chunk.len()]);
    }
    isize::try_from(length).unwrap_or(isize::MAX)
}

/// In place of the system's function of this name.
///
/// # Safety
/// `shown` must point to a time that may be written, as the system's demands too.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn clock_gettime(clock: libc::clockid_t, shown: *mut libc::timespec) -> c_int {
    if SYSTEM.get().is_none() {
        // SAFETY: the very call that was asked for.
        let told = unsafe { libc::syscall(libc::SYS_clock_gettime, clock, shown) };
        return c_int::try_from(told).unwrap_or(-1);
    }
    let lasted = i64::try_from(elapsed().as_nanos()).unwrap_or(i64::MAX);
    let nanos = if clock == libc::CLOCK_REALTIME {
        BEGINNING_S * 1_000_000_000 + JUMP_MS.get() * 1_000_000 + lasted
    } else {
        BOOTED_S * 1_000_000_000 + lasted
    };
    // SAFETY: the caller promises that it may be written.
    unsafe {
        (*shown).tv_sec = nanos / 1_000_000_000;
        (*shown).tv_nsec = nanos % 1_000_000_000;
    }
    0
}
