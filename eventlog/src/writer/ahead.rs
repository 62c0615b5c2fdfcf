//! Batches that are written without asking first how things stand: each is planned on what its requests say and on where
//! the batch before it will leave the log, and sent behind it. One is made ready while another is under way.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::{Answer, BATCH, BUSY, Failure, Message, Request, Writer, told};
use crate::append::Append;
use crate::engine::{BatchOutcome, Engine};
use crate::error::{AppendError, LogError};
use crate::forecast::Forecast;
use crate::key_store::Pair;
use crate::measure;
use crate::plan::{Answers, Head, Plan, plan};
use threads::Slip;
use threads::mpsc::Receiver;

/// Batches on their way at once.
const ON_THEIR_WAY: usize = 2;
/// Requests of a batch under way from which on others are gathered meanwhile; a smaller one is there sooner than they are.
const LARGE: usize = 32;
/// How long to wait for another request while a large batch is under way.
const GATHERING: Duration = Duration::from_micros(100);
/// How many batches ask first after one that was sent in vain: another node writes too, or somebody repeats himself.
const WARY: u32 = 16;

/// A batch on its way.
pub(super) struct Flight {
    batch: Vec<Request>,
    before: Head,
    plan: Arc<Plan>,
    answers: Answers,
    given: Vec<Pair>,
}

impl<E: Engine> Writer<E> {
    /// Writes a batch and what comes in meanwhile, until nothing waits or it is time to look after small things.
    pub(super) fn batches(&mut self, first: Vec<Request>, messages: &Receiver<Message>) {
        let mut flights = VecDeque::new();
        let mut next = first;
        loop {
            if !next.is_empty() {
                measure::taken(next.len());
                match self.take_off(next) {
                    Ok(flight) => flights.push_back(flight),
                    Err(batch) => {
                        self.land_all(&mut flights);
                        self.answer(batch);
                    }
                }
            }
            if flights.is_empty() {
                return;
            }
            next = if flights.len() < ON_THEIR_WAY && self.looked.elapsed() < BUSY {
                self.gathered(messages, flights.back().map_or(0, |flight| flight.batch.len()))
            } else {
                Vec::new()
            };
            if next.is_empty() || flights.len() == ON_THEIR_WAY {
                self.land_first(&mut flights);
            }
        }
    }

    /// Sends a batch that can be foreseen; gives back any other.
    fn take_off(&mut self, batch: Vec<Request>) -> Result<Flight, Vec<Request>> {
        if self.wary > 0 {
            self.wary -= 1;
            return Err(batch);
        }
        let appends: Vec<&Append> = batch.iter().map(|request| &request.append).collect();
        match self.planned(&appends) {
            Some((before, plan, answers, given)) => Ok(Flight {
                batch,
                before,
                plan,
                answers,
                given,
            }),
            None => Err(batch),
        }
    }

    fn planned(&mut self, appends: &[&Append]) -> Option<(Head, Arc<Plan>, Answers, Vec<Pair>)> {
        if self.report.stopped().is_some() {
            return None;
        }
        let forecast = Forecast::of(appends, self.engine.foreseen()?)?;
        // What fails here is told by whoever asks first.
        let newcomers = self.newcomers(appends).ok()?;
        let given = self.keys.assign(newcomers, |_, _| Ok(Vec::new())).ok()?;
        let (mut plan, answers) = plan(appends, forecast.standing(), &self.keys, super::now());
        plan.given.clone_from(&given);
        plan.shapes = self.noted.new_among(&plan.events);
        let plan = Arc::new(plan);
        if forecast.is_shown_by(&plan) && self.engine.send(&forecast, &plan).is_ok() {
            if Slip::BellBeforeLanding.is_made() {
                self.announce.head.send_replace(plan.head.position);
            }
            return Some((forecast.head, plan, answers, given));
        }
        self.keys.take_back(&given);
        None
    }

    fn land_all(&mut self, flights: &mut VecDeque<Flight>) {
        while !flights.is_empty() {
            self.land_first(flights);
        }
    }

    /// Waits for the first batch and answers it. When it was sent in vain, so was all that was sent behind it.
    fn land_first(&mut self, flights: &mut VecDeque<Flight>) {
        let Some(flight) = flights.pop_front() else { return };
        if let Some(in_vain) = self.outcome(flight) {
            let mut again = vec![in_vain];
            for flight in flights.drain(..) {
                again.extend(self.outcome(flight));
            }
            for batch in again {
                self.answer(batch);
            }
        }
    }

    /// Answers a batch, unless nothing of it was written and it is to be tried in the other way.
    fn outcome(&mut self, flight: Flight) -> Option<Vec<Request>> {
        let Flight {
            batch,
            before,
            plan,
            answers,
            given,
        } = flight;
        let failure = match self.engine.outcome() {
            BatchOutcome::Written => None,
            BatchOutcome::Otherwise => {
                self.wary = WARY;
                self.keys.take_back(&given);
                return Some(batch);
            }
            BatchOutcome::Undone(error) => Some(Failure::Undone(error)),
            BatchOutcome::Unseen(error) => match self.settle(&plan, error) {
                Ok(()) => None,
                Err(Failure::Undone(_)) => {
                    self.keys.take_back(&given);
                    return Some(batch);
                }
                Err(failure) => Some(failure),
            },
        };
        let Some(failure) = failure else {
            self.moved(before);
            self.wrote(&plan);
            self.reply(batch, answers);
            return None;
        };
        self.keys.take_back(&given);
        if matches!(&failure, Failure::Undone(error) if !matches!(error, LogError::Unavailable(_))) {
            return Some(batch);
        }
        // Asking once more would be to wait once more, for the lock that was not to be had, or for the server.
        let (error, _) = self.took_in(failure);
        let appends: Vec<&Append> = batch.iter().map(|request| &request.append).collect();
        let answers = told(&appends, &error);
        self.reply(batch, answers);
        None
    }

    /// What waits. While a large batch is under way, half as many are waited for, as long as they come.
    fn gathered(&mut self, messages: &Receiver<Message>, under_way: usize) -> Vec<Request> {
        let mut requests = Vec::new();
        self.take_in(&mut requests, messages.try_iter());
        while under_way >= LARGE && requests.len() < under_way / 2 {
            let Ok(message) = messages.recv_timeout(GATHERING) else {
                break;
            };
            self.take_in(&mut requests, std::iter::once(message).chain(messages.try_iter()));
        }
        requests
    }

    fn take_in(&mut self, requests: &mut Vec<Request>, messages: impl Iterator<Item = Message>) {
        let room = BATCH.saturating_sub(requests.len());
        for message in messages.take(room) {
            self.is_called |= message.is_none();
            requests.extend(message);
        }
    }

    /// Answers each request of a batch.
    pub(super) fn reply(&self, batch: Vec<Request>, answers: Vec<Answer>) {
        for (request, answer) in batch.into_iter().zip(answers) {
            measure::answered(request.offered, end_of(&answer));
            // A caller who has gone away needs no answer; what it asked for is done all the same.
            self.pace.answered(1);
            drop(request.reply.send(answer));
        }
    }
}

/// How a request ended, for who counts them.
fn end_of(answer: &Answer) -> &'static str {
    match answer {
        Ok(appended) if appended.repeated => "repeated",
        Ok(_) => "written",
        Err(AppendError::Conflict { .. }) => "conflict",
        Err(_) => "failed",
    }
}
