//! What all measuring programs have in common: the closed loop, the figure it comes to, and the enquiry that everybody
//! writes. Knows neither the product nor a rival.

pub mod enquiry;

use std::future::Future;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// What one run of a program came to; its last line of output, as JSON.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Answered per second, failures not counted.
    pub rate: f64,
    pub p50_us: f64,
    pub p99_us: f64,
    pub done: u64,
    pub failed: u64,
    /// Resident memory at the end, where somebody looked.
    #[serde(default)]
    pub memory_mb: f64,
    /// Processor time of the server for each that was answered, where somebody looked.
    #[serde(default)]
    pub cpu_us: f64,
    /// Bytes into the read models' write-ahead log for each that was answered, where somebody looked.
    #[serde(default)]
    pub written_bytes: f64,
    /// What a reader of the table should know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Figure {
    /// So many in so long, without single times.
    pub fn whole(done: u64, time: Duration) -> Self {
        Self {
            rate: done as f64 / time.as_secs_f64(),
            done,
            memory_mb: memory_mb("self"),
            ..Self::default()
        }
    }

    /// From the single times of those that went well.
    pub fn of(mut times: Vec<Duration>, failed: u64, time: Duration) -> Self {
        times.sort_unstable();
        let at = |percent: usize| {
            let last = times.len().saturating_sub(1);
            times
                .get(last * percent / 100)
                .map_or(0.0, |time| time.as_secs_f64() * 1e6)
        };
        Self {
            p50_us: at(50),
            p99_us: at(99),
            failed,
            ..Self::whole(times.len() as u64, time)
        }
    }

    /// The same with a remark.
    #[must_use]
    pub fn noting(self, note: impl Into<String>) -> Self {
        Self {
            note: Some(note.into()),
            ..self
        }
    }

    /// Tells whoever started this program.
    pub fn tell(&self) {
        println!("{}", serde_json::to_string(self).expect("a figure is JSON"));
    }
}

/// Numbers of calls before the clock runs begin here.
const WARMING: u64 = 1 << 40;

/// Lets `clients` do `work` one after the other, each without a pause, for so long, after one call each that does not
/// count. `work` gets the client's number and how many times it has been called by it, and says why it did not go well.
pub async fn closed_loop<W, F>(clients: usize, time: Duration, work: W) -> Figure
where
    W: Fn(usize, u64) -> F + Clone + Send + 'static,
    F: Future<Output = Result<(), String>> + Send + 'static,
{
    let warming: Vec<_> = (0..clients)
        .map(|client| tokio::spawn(work(client, WARMING)))
        .collect();
    for client in warming {
        drop(client.await.expect("a client of the loop ended badly"));
    }
    let begun = Instant::now();
    let end = begun + time;
    let all: Vec<_> = (0..clients)
        .map(|client| {
            let work = work.clone();
            tokio::spawn(async move {
                let (mut times, mut failed, mut first) = (Vec::new(), 0, None);
                for number in 0.. {
                    let asked = Instant::now();
                    if asked >= end {
                        break;
                    }
                    match work(client, number).await {
                        Ok(()) => times.push(asked.elapsed()),
                        Err(why) => {
                            failed += 1;
                            first.get_or_insert(why);
                        }
                    }
                }
                (times, failed, first)
            })
        })
        .collect();
    let (mut times, mut failed, mut first) = (Vec::new(), 0, None);
    for client in all {
        let (own, own_failed, own_first) = client.await.expect("a client of the loop ended badly");
        times.extend(own);
        failed += own_failed;
        first = first.or(own_first);
    }
    let figure = Figure::of(times, failed, begun.elapsed());
    match first {
        Some(why) => figure.noting(why),
        None => figure,
    }
}

/// The resident memory of a process, in megabytes; 0 where nobody knows.
pub fn memory_mb(process: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or_default() / 1024.0
}

/// The processor time that a process has used so far, in microseconds; 0 where nobody knows.
pub fn cpu_us(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name before it may hold anything.
    let rest = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let ticks = rest.split_whitespace().skip(11).take(2);
    let ticks: f64 = ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    // Linux counts 100 a second wherever it runs.
    ticks * 10_000.0
}

/// The runtime that every program measures on: two workers, as the goals say.
pub fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime can be made")
}

/// Numbers that look random and come out the same everywhere (splitmix64).
pub fn scattered(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A number below `limit` for one call of one client.
pub fn drawn(client: usize, number: u64, limit: usize) -> usize {
    let mixed = scattered(scattered(client as u64) ^ number);
    usize::try_from(mixed % limit.max(1) as u64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_come_from_the_times_that_went_well() {
        let times = (1..=100).rev().map(Duration::from_micros).collect();
        let figure = Figure::of(times, 3, Duration::from_secs(2));
        assert_eq!((figure.done, figure.failed), (100, 3));
        assert!((figure.rate - 50.0).abs() < 1e-9);
        assert!((figure.p50_us - 50.0).abs() < 1e-6 && (figure.p99_us - 99.0).abs() < 1e-6);
    }

    #[test]
    fn a_loop_counts_what_went_well_and_what_did_not() {
        let figure = runtime().block_on(closed_loop(
            4,
            Duration::from_millis(20),
            |_, number| async move {
                tokio::task::yield_now().await;
                if number % 2 == 0 {
                    Ok(())
                } else {
                    Err("odd".to_owned())
                }
            },
        ));
        assert!(figure.done > 0 && figure.failed > 0);
        assert!(figure.done.abs_diff(figure.failed) <= 4);
        assert_eq!(figure.note.as_deref(), Some("odd"));
    }
}
