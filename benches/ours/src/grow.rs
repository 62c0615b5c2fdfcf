//! What a longer log costs: appends and loads at one size after the other.

use std::time::{Duration, Instant};

use clap::Args;
use domain::lead::Lead;
use measure::{Figure, closed_loop, drawn};

use crate::leads::{Personal, Sender};
use crate::place::LogPlace;
use crate::replay::{id, write};
use crate::work::lead;

#[derive(Debug, Args)]
pub struct GrowArgs {
    #[command(flatten)]
    place: LogPlace,
    /// The sizes to look at, in events.
    #[arg(long, value_delimiter = ',', default_value = "100000,1000000")]
    rows: Vec<u64>,
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
}

/// Appends by 64 clients and loads by one, at each size; the figure is the last size's share of the first's.
pub async fn run(args: &GrowArgs) -> Figure {
    let log = args.place.open().await;
    let time = Duration::from_secs_f64(args.seconds);
    let sender = std::sync::Arc::new(Sender::read());
    let mut leads = 0;
    let mut seen = Vec::new();
    for rows in &args.rows {
        let wanted = (rows / 4).max(leads);
        write(&log, &sender, leads, wanted).await;
        leads = wanted;
        let held = (log.clone(), sender.clone());
        let appended = closed_loop(64, time, move |client, number| {
            let (log, sender) = held.clone();
            async move {
                let fresh = domain::id::LeadId(uuid::Uuid::now_v7());
                let made = lead(&sender, Personal::Known, fresh, number * 64 + client as u64);
                log.append(made)
                    .await
                    .map(drop)
                    .map_err(|error| error.to_string())
            }
        })
        .await;
        let mut times = Vec::new();
        let begun = Instant::now();
        while begun.elapsed() < time {
            let known = id(drawn(0, times.len() as u64, usize::try_from(leads).unwrap_or(1)) as u64);
            let asked = Instant::now();
            let loaded = log.load::<Lead>(known).await.expect("a lead can be read");
            times.push(asked.elapsed());
            assert!(loaded.revision >= 4, "{known} stands at {}", loaded.revision);
        }
        let loaded = Figure::of(times, 0, begun.elapsed());
        println!(
            "{rows} rows: {:.0} appends/s, load p50 {:.1} us",
            appended.rate, loaded.p50_us
        );
        seen.push((appended, loaded));
    }
    let ((first, first_load), (last, last_load)) = (&seen[0], &seen[seen.len() - 1]);
    let shares = (last.rate / first.rate, last_load.p50_us / first_load.p50_us);
    let note = format!(
        "{:.0} → {:.0} appends/s; load p50 {:.1} → {:.1} us",
        first.rate, last.rate, first_load.p50_us, last_load.p50_us
    );
    // Two shares in one figure: the rate is that of appends, the p50 that of loads.
    Figure {
        rate: shares.0,
        p50_us: shares.1,
        ..last.clone()
    }
    .noting(note)
}
