//! Reads of streams and of `$all`, once or for ever.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::extract::{Request, State};
use axum::response::Response;
use futures::{Stream, TryStreamExt as _};
use tonic::{Status, Streaming};
use tower::service_fn;

use crate::door::{Inside, answer, grpc};
use crate::store::Wish;
use crate::wire::{
    AllOptions, CaughtUp, Checkpoint, Confirmation, Content, Count, FromPosition, FromRevision, NotFound,
    Position, ReadEvent, ReadOptions, ReadReq, ReadResp, Recorded, Source, StreamOptions, Timestamp,
};

/// How many records a subscription passes over before it says how far it has come.
const CHECKPOINT: usize = 32;

type Answers = Pin<Box<dyn Stream<Item = Result<ReadResp, Status>> + Send>>;

/// Answers with the headers at once, as [`append`](crate::door) does.
pub(crate) async fn read(State(inside): State<Arc<Inside>>, request: Request) -> Response {
    let service = service_fn(move |request: tonic::Request<Streaming<ReadReq>>| {
        let inside = inside.clone();
        let asked = async move {
            let request = request.into_inner().message().await?;
            let options = request.and_then(|request| request.options);
            let options = options.ok_or_else(|| Status::invalid_argument("no options"))?;
            answers(&inside, options)
        };
        let told = futures::stream::once(asked).try_flatten();
        std::future::ready(Ok(tonic::Response::new(told)))
    });
    answer(grpc().streaming(service, request).await)
}

fn answers(inside: &Arc<Inside>, options: ReadOptions) -> Result<Answers, Status> {
    if *inside.cut.borrow() {
        return Ok(Box::pin(futures::stream::pending()));
    }
    let backwards = options.direction == 1;
    let count = match options.count {
        Some(Count::Count(count)) => Some(usize::try_from(count).unwrap_or(usize::MAX)),
        Some(Count::Subscription(_)) => None,
        None => return Err(Status::invalid_argument("no count")),
    };
    match (options.source, count) {
        (Some(Source::Stream(stream)), Some(count)) => Ok(of_stream(inside, stream, backwards, count)),
        (Some(Source::All(all)), Some(count)) => {
            let wish = Wish::of(options.filter)?;
            let records = of_all(inside, all, backwards)?;
            let wanted = records.into_iter().filter(move |record| wish.takes(record));
            Ok(told(wanted.take(count)))
        }
        (Some(Source::All(all)), None) => subscription(inside.clone(), all, Wish::of(options.filter)?),
        _ => Err(Status::unimplemented(
            "the stand-in has no subscriptions to one stream",
        )),
    }
}

fn of_stream(inside: &Inside, options: StreamOptions, backwards: bool, count: usize) -> Answers {
    let name = options.stream.clone().unwrap_or_default().stream_name;
    let Some(mut records) = inside.store.stream(&name) else {
        let absent = Content::NotFound(NotFound {
            stream: options.stream,
        });
        return Box::pin(futures::stream::iter([Ok(message(absent))]));
    };
    let from = options.from.unwrap_or(FromRevision::Start(crate::wire::Empty {}));
    if backwards {
        if let FromRevision::Revision(last) = from {
            records.retain(|record| record.revision <= last);
        }
        records.reverse();
    } else if let FromRevision::Revision(first) = from {
        records.retain(|record| record.revision >= first);
    }
    told(records.into_iter().take(count))
}

fn of_all(inside: &Inside, options: AllOptions, backwards: bool) -> Result<Vec<Arc<Recorded>>, Status> {
    match (options.from, backwards) {
        (Some(FromPosition::Position(from)), false) => inside.store.from(from.commit),
        (Some(FromPosition::Start(_)) | None, false) => inside.store.from(0),
        (Some(FromPosition::End(_)), true) => {
            let mut records = inside.store.from(0)?;
            records.reverse();
            Ok(records)
        }
        _ => Err(Status::unimplemented(
            "the stand-in reads backwards from the end only",
        )),
    }
}

fn told(records: impl Iterator<Item = Arc<Recorded>> + Send + 'static) -> Answers {
    let events: Vec<_> = records.map(|record| Ok(event(&record))).collect();
    Box::pin(futures::stream::iter(events))
}

fn message(content: Content) -> ReadResp {
    ReadResp {
        content: Some(content),
    }
}

fn event(record: &Recorded) -> ReadResp {
    message(Content::Event(ReadEvent {
        commit: Some(record.commit),
        event: Some(record.clone()),
    }))
}

/// Everything after a position, and then what is added, until the subscription is dropped.
fn subscription(inside: Arc<Inside>, options: AllOptions, wish: Wish) -> Result<Answers, Status> {
    let mut passed = match options.from {
        Some(FromPosition::Position(after)) => {
            inside.store.from(after.commit)?;
            Some(after.commit)
        }
        Some(FromPosition::Start(_)) | None => None,
        Some(FromPosition::End(_)) => inside.store.from(0)?.last().map(|record| record.commit),
    };
    let mut grown = inside.store.grown();
    let mut drops = inside.drops.subscribe();
    Ok(Box::pin(async_stream::try_stream! {
        drops.mark_unchanged();
        yield message(Content::Confirmation(Confirmation { subscription: uuid::Uuid::new_v4().to_string() }));
        let mut live = false;
        loop {
            grown.mark_unchanged();
            let records = inside.store.from(passed.unwrap_or(0))?;
            let mut unwanted = 0;
            for record in records {
                if passed.is_some_and(|passed| record.commit <= passed) {
                    continue;
                }
                passed = Some(record.commit);
                if wish.takes(&record) {
                    yield event(&record);
                } else {
                    unwanted += 1;
                    if unwanted % CHECKPOINT == 0 {
                        yield message(Content::Checkpoint(Checkpoint { commit: record.commit, prepare: record.commit }));
                    }
                }
            }
            if !live {
                live = true;
                yield message(Content::CaughtUp(caught_up(passed)));
            }
            let dropped = tokio::select! {
                _ = grown.changed() => false,
                _ = drops.changed() => true,
            };
            if dropped {
                Err(Status::unavailable("the subscription was dropped"))?;
            }
        }
    }))
}

fn caught_up(passed: Option<u64>) -> CaughtUp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    CaughtUp {
        at: Some(Timestamp {
            seconds: i64::try_from(since.as_secs()).unwrap_or_default(),
            nanos: 0,
        }),
        position: passed.map(|commit| Position {
            commit,
            prepare: commit,
        }),
    }
}
