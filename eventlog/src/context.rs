//! What stands around a command: when, who, and what it follows from.

use domain::moment::Moment;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::actor::Actor;
use crate::event::RecordedEvent;

/// When a command came, from whom, and what it follows from. Recorded with every event it causes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// When it happened, as the command says.
    pub at: Moment,
    /// Actor of the command.
    pub actor: Actor,
    /// Makes the command count once however often it is sent. One id stands for ONE append: a request that
    /// appends twice takes [`Context::step`] for each.
    pub command_id: Option<Uuid>,
    /// Digest of what was asked, so that an id used again for something else is refused.
    pub command_digest: Option<[u8; 32]>,
    /// The request or flow everything here belongs to.
    pub correlation_id: Uuid,
    /// The event that led to this.
    pub causation_id: Option<Uuid>,
}

impl Context {
    /// A context of its own, without command id.
    pub fn new(at: Moment, actor: Actor) -> Self {
        Self {
            at,
            actor,
            command_id: None,
            command_digest: None,
            correlation_id: Uuid::now_v7(),
            causation_id: None,
        }
    }

    /// Makes the command count once: `id` comes from the client (Idempotency-Key), `body` is what was asked.
    #[must_use]
    pub fn command(mut self, id: Uuid, body: &[u8]) -> Self {
        self.command_id = Some(id);
        self.command_digest = Some(Sha256::digest(body).into());
        self
    }

    /// Puts the command into an ongoing flow.
    #[must_use]
    pub fn correlated(mut self, correlation_id: Uuid) -> Self {
        self.correlation_id = correlation_id;
        self
    }

    /// Names the event that the command follows from, where there is one.
    #[must_use]
    pub fn because(mut self, cause: Option<Uuid>) -> Self {
        self.causation_id = cause;
        self
    }

    /// The context of a command that follows from `event`, exactly once per `step` name.
    #[must_use]
    pub fn following(event: &RecordedEvent, at: Moment, actor: Actor, step: &str) -> Self {
        Self {
            at,
            actor,
            command_id: Some(derived(event.event_id, step)),
            command_digest: None,
            correlation_id: event.correlation_id,
            causation_id: Some(event.event_id),
        }
    }

    /// The same context for one named append of several under the same request; its command id is derived, so that
    /// a repetition of the request repeats each step's answer.
    #[must_use]
    pub fn step(&self, name: &str) -> Self {
        let mut step = self.clone();
        step.command_id = self.command_id.map(|id| derived(id, name));
        step
    }
}

/// A command id that depends on nothing but its origin and a name.
fn derived(origin: Uuid, name: &str) -> Uuid {
    let digest: [u8; 32] = Sha256::new()
        .chain_update(origin)
        .chain_update(name)
        .finalize()
        .into();
    let mut id = [0; 16];
    id.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(id).into_uuid()
}
