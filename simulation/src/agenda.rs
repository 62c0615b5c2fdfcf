//! The reactor's agenda in memory: what it keeps outlives a kill, and a step of it happens whole or not at all.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::id::{InventoryId, PaymentId};
use domain::moment::Moment;
use domain::policy::Effect;
use eventlog::Position;
use parking_lot::Mutex;
use platform::clock;
use processes::reactor::Left;
use processes::reactor::agenda::{Due, FIRST_LOOK_MS, Lane, Planned, backoff_ms};
use processes::reactor::port::{Agenda, Asked};
use processes::reactor::price_watch::PriceWatch;
use tokio::sync::watch;
use uuid::Uuid;

use crate::fate;
use crate::planted::Planted;

/// What is written down.
#[derive(Clone)]
pub(crate) struct Pad(Arc<Mutex<Page>>);

#[derive(Default)]
struct Page {
    position: Position,
    outbox: BTreeMap<String, Line>,
    holds: BTreeMap<(Uuid, PaymentId), i64>,
    watched: BTreeMap<PaymentId, (i64, i64)>,
    locks: BTreeMap<Uuid, PriceWatch>,
    planted: Option<Planted>,
}

struct Line {
    planned: Planned,
    attempts: i64,
    due_ms: i64,
    is_done: bool,
}

/// One process's way to it.
pub(crate) struct Notes {
    pad: Pad,
    duty: watch::Sender<bool>,
}

fn now_ms() -> i64 {
    clock::now().timestamp_millis()
}

fn lane_of(effect: &Effect) -> Lane {
    match effect {
        Effect::EnsureIntent { .. }
        | Effect::CancelIntent { .. }
        | Effect::SendRefund { .. }
        | Effect::LayEvidence { .. } => Lane::Gateway,
        Effect::SendMessage { .. }
        | Effect::SendRefundMessage { .. }
        | Effect::SendRefundReturned { .. }
        | Effect::SendDisputeAlert { .. }
        | Effect::SendLeadMessage { .. }
        | Effect::SendLetter { .. }
        | Effect::SendCaseMessage { .. }
        | Effect::SendMentions { .. }
        | Effect::SendCaseMentions { .. }
        | Effect::SendSecondFactorNotice { .. } => Lane::Messages,
        Effect::Erase { .. } => Lane::Erasures,
    }
}

impl Pad {
    pub(crate) fn new(planted: Option<Planted>) -> Self {
        Self(Arc::new(Mutex::new(Page {
            planted,
            ..Page::default()
        })))
    }

    /// Whether there is nothing left to do.
    pub(crate) fn is_clear(&self) -> bool {
        let page = self.0.lock();
        page.outbox.values().all(|line| line.is_done) && page.holds.is_empty() && page.watched.is_empty()
    }

    /// Effects that are still to be had.
    pub(crate) fn waiting(&self) -> Vec<String> {
        let page = self.0.lock();
        let open = page.outbox.values().filter(|line| !line.is_done);
        open.map(|line| format!("{:?} after {} attempts", line.planned.effect, line.attempts))
            .collect()
    }
}

impl Notes {
    pub(crate) fn open(pad: &Pad) -> Self {
        Self {
            pad: pad.clone(),
            duty: watch::Sender::new(true),
        }
    }

    /// One step, at some moment: a kill comes before it or after it.
    async fn step<T>(&self, deed: impl FnOnce(&mut Page) -> T + Send) -> T {
        fate::dawdle(3).await;
        let outcome = deed(&mut self.pad.0.lock());
        fate::dawdle(3).await;
        outcome
    }
}

impl Page {
    fn take(&mut self, left: &Left) {
        let now = now_ms();
        for planned in &left.effects {
            self.outbox.entry(planned.id.clone()).or_insert_with(|| Line {
                planned: planned.clone(),
                attempts: 0,
                due_ms: now,
                is_done: false,
            });
        }
        for news in &left.holds {
            let key = (news.room_id, news.payment_id);
            match news.ends {
                Some(ends) => drop(self.holds.insert(key, ends.timestamp_millis())),
                None => drop(self.holds.remove(&key)),
            }
        }
        for watch in &left.locks {
            self.locks.insert(watch.lead_id.0, *watch);
        }
        for payment in &left.watched {
            self.watched.insert(*payment, (now + FIRST_LOOK_MS, 0));
        }
    }

    fn take_due(&mut self, lane: Lane, limit: i64) -> Vec<Due> {
        let now = now_ms();
        let mut open: Vec<&mut Line> = self
            .outbox
            .values_mut()
            .filter(|line| !line.is_done && line.due_ms <= now && lane_of(&line.planned.effect) == lane)
            .collect();
        open.sort_by_key(|line| line.due_ms);
        open.truncate(usize::try_from(limit).unwrap_or_default());
        open.into_iter()
            .map(|line| {
                let due = Due {
                    planned: line.planned.clone(),
                    attempts: line.attempts,
                };
                line.due_ms = now + backoff_ms(line.attempts);
                line.attempts += 1;
                due
            })
            .collect()
    }
}

impl Agenda for Notes {
    fn on_duty(&self) -> watch::Receiver<bool> {
        self.duty.subscribe()
    }

    fn confirm(&self) -> Asked<'_, ()> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn take_over(&self) -> Asked<'_, ()> {
        Box::pin(async {
            self.step(|page| {
                for line in page.outbox.values_mut() {
                    line.due_ms = 0;
                }
                let soon = now_ms() + FIRST_LOOK_MS;
                for (due, looks) in page.watched.values_mut() {
                    (*due, *looks) = ((*due).min(soon), 0);
                }
            })
            .await;
            Ok(())
        })
    }

    fn checkpoint(&self) -> Asked<'_, Position> {
        Box::pin(async { Ok(self.step(|page| page.position).await) })
    }

    fn advance<'a>(&'a self, position: Position, left: &'a Left) -> Asked<'a, ()> {
        Box::pin(async move {
            self.step(|page| {
                page.position = position;
                if page.planted != Some(Planted::EffectsLost) || !fate::percent(20) {
                    page.take(left);
                }
            })
            .await;
            Ok(())
        })
    }

    fn take_due(&self, lane: Lane, limit: i64) -> Asked<'_, Vec<Due>> {
        Box::pin(async move { Ok(self.step(|page| page.take_due(lane, limit)).await) })
    }

    fn done<'a>(&'a self, ids: &'a [String]) -> Asked<'a, ()> {
        Box::pin(async move {
            self.step(|page| {
                for id in ids {
                    if let Some(line) = page.outbox.get_mut(id) {
                        line.is_done = true;
                    }
                }
            })
            .await;
            Ok(())
        })
    }

    fn failed<'a>(&'a self, _id: &'a str, _error: &'a str) -> Asked<'a, ()> {
        Box::pin(async {
            self.step(|_| ()).await;
            Ok(())
        })
    }

    fn next_due_ms(&self, lane: Lane) -> Asked<'_, Option<i64>> {
        Box::pin(async move {
            let of_lane = |line: &&Line| !line.is_done && lane_of(&line.planned.effect) == lane;
            let next = self
                .step(|page| page.outbox.values().filter(of_lane).map(|line| line.due_ms).min())
                .await;
            Ok(next)
        })
    }

    fn ended_holds(&self, now: Moment, latest: Moment) -> Asked<'_, Vec<InventoryId>> {
        Box::pin(async move {
            let (now, latest) = (now.timestamp_millis(), latest.timestamp_millis());
            let ended = self
                .step(|page| {
                    if page.planted == Some(Planted::TimersStopped) {
                        return Vec::new();
                    }
                    let ended = page
                        .holds
                        .iter()
                        .filter(|(_, ends)| **ends <= now || **ends > latest);
                    let mut rooms: Vec<Uuid> = ended.map(|((room, _), _)| *room).collect();
                    rooms.dedup();
                    rooms
                })
                .await;
            Ok(ended.into_iter().map(InventoryId).collect())
        })
    }

    fn price_watches<'a>(&'a self, homes: &'a [InventoryId], now: Moment) -> Asked<'a, Vec<PriceWatch>> {
        Box::pin(async move {
            let is_meant = |watch: &&PriceWatch| homes.contains(&watch.home_id) && watch.until > now;
            Ok(self
                .step(|page| page.locks.values().filter(is_meant).copied().collect())
                .await)
        })
    }

    fn silent(&self, now: Moment) -> Asked<'_, Vec<(PaymentId, i64)>> {
        Box::pin(async move {
            let now = now.timestamp_millis();
            let silent = self
                .step(|page| {
                    let due = page.watched.iter().filter(|(_, (due, _))| *due <= now);
                    due.map(|(payment, (_, looks))| (*payment, *looks)).collect()
                })
                .await;
            Ok(silent)
        })
    }

    fn look_again(&self, payment_id: PaymentId, looks: i64) -> Asked<'_, ()> {
        Box::pin(async move {
            self.step(|page| {
                if let Some(watched) = page.watched.get_mut(&payment_id) {
                    *watched = (now_ms() + FIRST_LOOK_MS + backoff_ms(looks), looks + 1);
                }
            })
            .await;
            Ok(())
        })
    }

    fn look_at(&self, payment_id: PaymentId, due: Moment) -> Asked<'_, ()> {
        Box::pin(async move {
            self.step(|page| {
                if let Some(watched) = page.watched.get_mut(&payment_id) {
                    watched.0 = due.timestamp_millis();
                }
            })
            .await;
            Ok(())
        })
    }

    fn look_away(&self, payment_id: PaymentId) -> Asked<'_, ()> {
        Box::pin(async move {
            self.step(|page| page.watched.remove(&payment_id)).await;
            Ok(())
        })
    }
}
