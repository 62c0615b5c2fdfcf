//! What the reactor asks of whatever keeps its agenda: tables of this server or of several, or a simulated memory.

use domain::id::{InventoryId, PaymentId};
use domain::moment::Moment;
use eventlog::Position;
use futures::future::BoxFuture;
use tokio::sync::watch;

use super::agenda::{Due, Lane, StoredAgenda};
use super::price_watch::PriceWatch;
use super::{Left, ReactorError};

/// What comes of a question to the agenda.
pub type Asked<'a, T> = BoxFuture<'a, Result<T, ReactorError>>;

/// What the reactor has still to do, kept where a kill does not reach it.
pub trait Agenda: Send + Sync + 'static {
    /// Says whenever this process may work on it, or may not any more.
    fn on_duty(&self) -> watch::Receiver<bool>;

    /// Before something begins that nothing can take back: this process still may.
    fn confirm(&self) -> Asked<'_, ()>;

    /// Takes up what somebody else began: what a kill interrupted goes on at once.
    fn take_over(&self) -> Asked<'_, ()>;

    /// How far the log was read.
    fn checkpoint(&self) -> Asked<'_, Position>;

    /// Moves the checkpoint and writes what the events left: both, or neither.
    fn advance<'a>(&'a self, position: Position, left: &'a Left) -> Asked<'a, ()>;

    /// Effects that are due. Each attempt is counted before it is made, and the next one planned.
    fn take_due(&self, lane: Lane, limit: i64) -> Asked<'_, Vec<Due>>;

    /// These are done.
    fn done<'a>(&'a self, ids: &'a [String]) -> Asked<'a, ()>;

    /// It was not carried out, and is not to be any more, for this reason.
    fn dropped<'a>(&'a self, id: &'a str, _reason: &'a str) -> Asked<'a, ()> {
        Box::pin(async move { self.done(&[id.to_owned()]).await })
    }

    fn failed<'a>(&'a self, id: &'a str, error: &'a str) -> Asked<'a, ()>;

    /// When the next effect is due.
    fn next_due_ms(&self, lane: Lane) -> Asked<'_, Option<i64>>;

    /// Rooms with a hold that has ended.
    fn ended_holds(&self, now: Moment, latest: Moment) -> Asked<'_, Vec<InventoryId>>;

    /// Enquiries that keep the price of one of these homes beyond `now`.
    fn price_watches<'a>(&'a self, homes: &'a [InventoryId], now: Moment) -> Asked<'a, Vec<PriceWatch>>;

    /// Payments whose gateway is to be asked now, with how often it was.
    fn silent(&self, now: Moment) -> Asked<'_, Vec<(PaymentId, i64)>>;

    fn look_again(&self, payment_id: PaymentId, looks: i64) -> Asked<'_, ()>;

    /// Looks at a payment once more at `due`.
    fn look_at(&self, payment_id: PaymentId, due: Moment) -> Asked<'_, ()>;

    fn look_away(&self, payment_id: PaymentId) -> Asked<'_, ()>;
}

impl Agenda for StoredAgenda {
    fn on_duty(&self) -> watch::Receiver<bool> {
        self.duty().watch()
    }

    fn confirm(&self) -> Asked<'_, ()> {
        Box::pin(async { Ok(self.duty().confirm().await?) })
    }

    fn take_over(&self) -> Asked<'_, ()> {
        Box::pin(self.take_over())
    }

    fn checkpoint(&self) -> Asked<'_, Position> {
        Box::pin(async { Ok(self.checkpoint().await?) })
    }

    fn advance<'a>(&'a self, position: Position, left: &'a Left) -> Asked<'a, ()> {
        Box::pin(self.advance(position, left))
    }

    fn take_due(&self, lane: Lane, limit: i64) -> Asked<'_, Vec<Due>> {
        Box::pin(self.take_due(lane, limit))
    }

    fn done<'a>(&'a self, ids: &'a [String]) -> Asked<'a, ()> {
        Box::pin(async { Ok(self.done(ids).await?) })
    }

    fn dropped<'a>(&'a self, id: &'a str, reason: &'a str) -> Asked<'a, ()> {
        Box::pin(async { Ok(self.dropped(id, reason).await?) })
    }

    fn failed<'a>(&'a self, id: &'a str, error: &'a str) -> Asked<'a, ()> {
        Box::pin(async { Ok(self.failed(id, error).await?) })
    }

    fn next_due_ms(&self, lane: Lane) -> Asked<'_, Option<i64>> {
        Box::pin(async move { Ok(self.next_due_ms(lane).await?) })
    }

    fn ended_holds(&self, now: Moment, latest: Moment) -> Asked<'_, Vec<InventoryId>> {
        Box::pin(async move { Ok(self.ended_holds(now, latest).await?) })
    }

    fn price_watches<'a>(&'a self, homes: &'a [InventoryId], now: Moment) -> Asked<'a, Vec<PriceWatch>> {
        Box::pin(async move { Ok(self.price_watches(homes, now).await?) })
    }

    fn silent(&self, now: Moment) -> Asked<'_, Vec<(PaymentId, i64)>> {
        Box::pin(async move { Ok(self.silent(now).await?) })
    }

    fn look_again(&self, payment_id: PaymentId, looks: i64) -> Asked<'_, ()> {
        Box::pin(async move { Ok(self.look_again(payment_id, looks).await?) })
    }

    fn look_at(&self, payment_id: PaymentId, due: Moment) -> Asked<'_, ()> {
        Box::pin(async move { Ok(self.look_at(payment_id, due).await?) })
    }

    fn look_away(&self, payment_id: PaymentId) -> Asked<'_, ()> {
        Box::pin(async move { Ok(self.look_away(payment_id).await?) })
    }
}
