//! The limits beside which the log is put: the disk's syncs, and the database's bulk way in.

use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use domain::id::LeadId;
use eventlog::{Append, Expected};
use futures::{SinkExt as _, StreamExt as _};
use measure::{Figure, closed_loop};
use tokio_postgres::{Client, NoTls};
use uuid::Uuid;

use crate::enquiry::{Enquiry, EnquiryEvent};
use crate::leads::asked;
use crate::place::LogPlace;

#[derive(Debug, Args)]
pub struct AppendArgs {
    #[command(flatten)]
    place: LogPlace,
    #[arg(long, default_value_t = 256)]
    clients: usize,
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
}

/// Events per second, one an append, through the group commit.
pub async fn append(args: &AppendArgs) -> Figure {
    let log = args.place.open().await;
    closed_loop(
        args.clients,
        Duration::from_secs_f64(args.seconds),
        move |_, number| {
            let log = log.clone();
            async move {
                let answer = log.append(one(number)).await;
                answer.map(drop).map_err(|error| error.to_string())
            }
        },
    )
    .await
}

/// An append of one event to a stream of its own.
fn one(number: u64) -> Append {
    let event = EnquiryEvent::Submitted(Box::new(measure::enquiry::submitted(number)));
    let append = Append::new(&asked(number));
    let made = append.events::<Enquiry>(LeadId(Uuid::now_v7()), Expected::Revision(0), &[event]);
    made.expect("an event is JSON")
}

#[derive(Debug, Args)]
pub struct CopyArgs {
    /// The address of an empty database.
    #[arg(long)]
    place: String,
    #[arg(long)]
    keys: String,
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Rows in one COPY.
    #[arg(long, default_value_t = 50_000)]
    rows: u64,
}

/// Events per second by binary COPY of the very rows that the log writes, into a table with its columns and indexes.
pub async fn copy(args: &CopyArgs) -> Figure {
    let log = eventlog_postgres::open(&args.place, &args.keys)
        .await
        .expect("the log opens");
    let all = (0..args.rows).map(one).collect();
    log.append_many(all).await.expect("the rows are written");
    let client = connected(&args.place).await;
    client
        .batch_execute("create table copied (like event including all)")
        .await
        .expect("a table like the log's");
    let rows: Vec<_> = client
        .copy_out("copy event to stdout (format binary)")
        .await
        .expect("rows come out")
        .collect()
        .await;
    let rows: Vec<_> = rows
        .into_iter()
        .map(|rows| rows.expect("rows come out"))
        .collect();
    let (mut written, mut spent) = (0, Duration::ZERO);
    while spent.as_secs_f64() < args.seconds {
        client
            .batch_execute("truncate copied")
            .await
            .expect("an empty table");
        let begun = Instant::now();
        let sink = client
            .copy_in("copy copied from stdin (format binary)")
            .await
            .expect("rows go in");
        futures::pin_mut!(sink);
        for chunk in rows.clone() {
            sink.feed(chunk).await.expect("rows go in");
        }
        written += sink.finish().await.expect("rows are durable");
        spent += begun.elapsed();
    }
    Figure::whole(written, spent)
}

async fn connected(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls)
        .await
        .unwrap_or_else(|error| panic!("{url} cannot be reached: {error}"));
    tokio::spawn(connection);
    client
}

#[derive(Debug, Args)]
pub struct SyncArgs {
    /// A folder on the medium.
    #[arg(long)]
    place: PathBuf,
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Over blocks that are there already, as a write-ahead log is used again, instead of making the file longer.
    #[arg(long)]
    over: bool,
}

/// Blocks of a page that are there for writing over.
const BLOCKS: u64 = 4_096;

/// Appends of 600 bytes, or pages over what is there, each with an fdatasync.
pub fn sync(args: &SyncArgs) -> Figure {
    let path = args.place.join("probe");
    let mut file = File::create(&path).expect("the probe's file can be made");
    let mut block = vec![b'7'; 600];
    if args.over {
        block.resize(4_096, b'7');
        for _ in 0..BLOCKS {
            file.write_all(&block).expect("the probe writes");
        }
        file.sync_all().expect("the disk takes it");
    }
    let begun = Instant::now();
    let mut times = Vec::new();
    while begun.elapsed().as_secs_f64() < args.seconds {
        if args.over && (times.len() as u64).is_multiple_of(BLOCKS) {
            file.rewind().expect("the probe goes back");
        }
        let asked = Instant::now();
        file.write_all(&block).expect("the probe writes");
        file.sync_data().expect("the disk takes it");
        times.push(asked.elapsed());
    }
    let figure = Figure::of(times, 0, begun.elapsed());
    std::fs::remove_file(&path).expect("the probe tidies up");
    figure
}
