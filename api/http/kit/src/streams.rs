//! Streams of events (SSE, decision 0030): an event of the log wakes only those that it concerns, and one client holds a bounded number.
//! What a stream sends and when it ends is up to its handler.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use domain::booking_form::BookingForm;
use domain::id::{BookingFormId, LeadId, PaymentId, StreamKey as _, UserId};
use domain::payment::Payment;
use domain::user::User;
use eventlog::{EventLog, LogError, Position, StreamId};
use parking_lot::Mutex;
use platform::network;
use projections::lead_timeline::query::grown;
use records::Records;
use tokio::sync::watch;

use crate::error::{ApiError, ApiResult};
use crate::said::say;

/// Streams of one payment or form: a reader's tabs and devices, and those of the person who sent the link.
const PER_SUBJECT: usize = 16;
/// Streams of payments and forms from one network: half of the connections that it may hold (decision 0030).
const PER_NETWORK: usize = 128;
/// The same from one IPv6 site (/48).
const PER_SITE: usize = 640;
/// Streams of one member of staff.
const PER_PERSON: usize = 32;
/// When a refused client may ask again, in seconds.
const RETRY_S: u64 = 30;
/// How often a stream that needs a login looks whether that still stands: a login also ends without an event, by its age.
pub const BEAT: Duration = Duration::from_secs(15);
/// Events read at once.
const EVENTS: usize = 500;
/// How long one wait for the read models takes at most.
const FOLDING: Duration = Duration::from_secs(2);

/// Subjects of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Subject {
    /// One stream of the log.
    Stream(StreamId),
    /// A lead's history, which many streams make.
    History(LeadId),
}

/// All open streams of this node.
#[derive(Debug, Clone, Default)]
pub struct Streams(Arc<Mutex<Board>>);

#[derive(Debug, Default)]
struct Board {
    listeners: HashMap<Subject, Listeners>,
    open: HashMap<String, usize>,
}

#[derive(Debug)]
struct Listeners {
    news: watch::Sender<()>,
    count: usize,
}

/// Told when an event concerns its subject.
#[derive(Debug)]
pub struct Listening {
    streams: Streams,
    subject: Subject,
    news: watch::Receiver<()>,
}

/// Places that an open stream takes; free again when it ends.
#[derive(Debug)]
pub struct Places {
    streams: Streams,
    taken: Vec<String>,
}

impl Streams {
    /// Listens to one payment.
    pub fn of_payment(&self, payment_id: PaymentId) -> Listening {
        self.listen(Subject::Stream(StreamId::of::<Payment>(payment_id)))
    }

    /// Listens to one booking form.
    pub fn of_form(&self, form_id: BookingFormId) -> Listening {
        self.listen(Subject::Stream(StreamId::of::<BookingForm>(form_id)))
    }

    /// Listens to what happens to an account: its logins, its roles.
    pub fn of_person(&self, user_id: UserId) -> Listening {
        self.listen(Subject::Stream(StreamId::of::<User>(user_id)))
    }

    /// Listens to a lead's history.
    pub fn of_lead(&self, lead_id: LeadId) -> Listening {
        self.listen(Subject::History(lead_id))
    }

    /// Room for one more stream of a payment.
    ///
    /// # Errors
    /// 429 where the payment or the network has as many as it may have.
    pub fn admit_payer(&self, ip: IpAddr, payment_id: PaymentId) -> ApiResult<Places> {
        self.admit_visitor(ip, format!("payment {}", payment_id.uuid()))
    }

    /// Room for one more stream of a booking form.
    ///
    /// # Errors
    /// 429 where the form or the network has as many as it may have.
    pub fn admit_form(&self, ip: IpAddr, form_id: BookingFormId) -> ApiResult<Places> {
        self.admit_visitor(ip, format!("form {}", form_id.uuid()))
    }

    fn admit_visitor(&self, ip: IpAddr, subject: String) -> ApiResult<Places> {
        let mut wanted = vec![
            (subject, PER_SUBJECT),
            (format!("network {}", network::network(ip)), PER_NETWORK),
        ];
        wanted.extend(network::site(ip).map(|site| (format!("site {site}"), PER_SITE)));
        self.admit(wanted)
    }

    /// Room for one more stream of a member of staff.
    ///
    /// # Errors
    /// 429 where they have as many as they may have.
    pub fn admit_staff(&self, user_id: UserId) -> ApiResult<Places> {
        self.admit(vec![(format!("person {}", user_id.uuid()), PER_PERSON)])
    }

    fn admit(&self, wanted: Vec<(String, usize)>) -> ApiResult<Places> {
        let mut board = self.0.lock();
        let is_full =
            |(place, most): &(String, usize)| board.open.get(place).is_some_and(|open| open >= most);
        if wanted.iter().any(is_full) {
            return Err(ApiError::too_many(say("refusal.too_many_streams"), RETRY_S));
        }
        let taken: Vec<String> = wanted.into_iter().map(|(place, _)| place).collect();
        for place in &taken {
            *board.open.entry(place.clone()).or_default() += 1;
        }
        drop(board);
        Ok(Places {
            streams: self.clone(),
            taken,
        })
    }

    fn listen(&self, subject: Subject) -> Listening {
        let mut board = self.0.lock();
        let listeners = board.listeners.entry(subject).or_insert_with(|| Listeners {
            news: watch::Sender::new(()),
            count: 0,
        });
        listeners.count += 1;
        let news = listeners.news.subscribe();
        drop(board);
        Listening {
            streams: self.clone(),
            subject,
            news,
        }
    }

    fn tell(&self, subject: Subject) {
        if let Some(listeners) = self.0.lock().listeners.get(&subject) {
            listeners.news.send_replace(());
        }
    }

    /// Wakes every stream, where it is not known which of them an event concerns.
    fn tell_all(&self) {
        for listeners in self.0.lock().listeners.values() {
            listeners.news.send_replace(());
        }
    }

    fn has(&self, is_it: impl Fn(&Subject) -> bool) -> bool {
        self.0.lock().listeners.keys().any(is_it)
    }
}

impl Listening {
    /// Comes with the next event about the subject, or at once where one came since the last time.
    pub async fn news(&mut self) {
        if self.news.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut board = self.streams.0.lock();
        if let Some(listeners) = board.listeners.get_mut(&self.subject) {
            listeners.count -= 1;
            if listeners.count == 0 {
                board.listeners.remove(&self.subject);
            }
        }
    }
}

impl Drop for Places {
    fn drop(&mut self) {
        let mut board = self.streams.0.lock();
        for place in &self.taken {
            if let Some(open) = board.open.get_mut(place) {
                *open -= 1;
                if *open == 0 {
                    board.open.remove(place);
                }
            }
        }
    }
}

/// Tells listeners of what is recorded, on whichever node, until the server stops.
pub async fn keep_telling(records: Records, streams: Streams, mut stop: watch::Receiver<bool>) {
    let telling = async {
        tokio::join!(
            tell_of_log(&records.log, &streams),
            tell_of_histories(&records, &streams)
        )
    };
    tokio::select! {
        _ends = telling => {}
        _ = stop.wait_for(|stopped| *stopped) => {}
    }
}

/// The log as it grows, read once for all streams of this node.
async fn tell_of_log(log: &EventLog, streams: &Streams) {
    let mut head = log.watch();
    let mut told = *head.borrow_and_update();
    while head.changed().await.is_ok() {
        let reached = *head.borrow_and_update();
        if !streams.has(|subject| matches!(subject, Subject::Stream(_))) {
            told = reached;
            continue;
        }
        told = match tell_since(log, streams, told).await {
            Ok(position) => position,
            Err(error) => {
                tracing::warn!(%error, "events cannot be read for the streams: all of them look");
                streams.tell_all();
                reached
            }
        };
    }
}

async fn tell_since(log: &EventLog, streams: &Streams, mut told: Position) -> Result<Position, LogError> {
    loop {
        let events = log.read_all(told, EVENTS).await?;
        for event in &events {
            streams.tell(Subject::Stream(event.stream));
        }
        told = events.last().map_or(told, |event| event.position);
        if events.len() < EVENTS {
            return Ok(told);
        }
    }
}

/// Histories as the read models fold them.
async fn tell_of_histories(records: &Records, streams: &Streams) {
    let mut head = records.log.watch();
    let mut told = *head.borrow_and_update();
    while head.changed().await.is_ok() {
        let reached = *head.borrow_and_update();
        if !streams.has(|subject| matches!(subject, Subject::History(_))) {
            told = reached;
            continue;
        }
        while !records.applied.wait_for(reached, FOLDING).await {}
        match grown(records.read.readers(), told.cast_signed()).await {
            Ok(leads) => {
                for lead_id in leads {
                    streams.tell(Subject::History(lead_id));
                }
            }
            Err(error) => {
                tracing::warn!(%error, "histories cannot be read for the streams: all of them look");
                streams.tell_all();
            }
        }
        told = reached;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_told(listening: &Listening) -> bool {
        listening.news.has_changed().unwrap()
    }

    #[test]
    fn an_event_wakes_only_streams_that_it_concerns() {
        let streams = Streams::default();
        let [one, other] = [1, 2].map(|number| PaymentId(uuid::Uuid::from_u128(number)));
        let (first, second) = (streams.of_payment(one), streams.of_payment(one));
        let (third, lead) = (streams.of_payment(other), streams.of_lead(LeadId(one.0)));
        streams.tell(Subject::Stream(StreamId::of::<Payment>(one)));
        assert_eq!(
            [&first, &second, &third, &lead].map(is_told),
            [true, true, false, false]
        );
        drop((first, second, third, lead));
        assert!(streams.0.lock().listeners.is_empty());
    }

    #[test]
    fn a_network_and_a_payment_hold_so_many_streams() {
        let streams = Streams::default();
        let ip = |last: u8| IpAddr::from([192, 0, 2, last]);
        let payment = |number: usize| PaymentId(uuid::Uuid::from_u128(number as u128));
        let of_one: Vec<Places> = (0..PER_SUBJECT)
            .map(|_| streams.admit_payer(ip(1), payment(0)).unwrap())
            .collect();
        let refused = streams.admit_payer(ip(2), payment(0)).unwrap_err();
        assert_eq!(
            (refused.status.as_u16(), refused.retry_after),
            (429, Some(RETRY_S))
        );
        let rest = (PER_SUBJECT..PER_NETWORK).map(|number| streams.admit_payer(ip(1), payment(number)));
        let rest: Vec<Places> = rest.map(Result::unwrap).collect();
        streams.admit_payer(ip(1), payment(PER_NETWORK)).unwrap_err();
        streams.admit_payer(ip(2), payment(PER_NETWORK)).unwrap();
        drop((of_one, rest));
        assert!(streams.0.lock().open.is_empty());
    }
}
