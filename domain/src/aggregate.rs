//! What every event-sourced aggregate is made of.

use std::error::Error;

use serde::{Serialize, de::DeserializeOwned};

use crate::sealed::Sealable;
use crate::shape::Shaped;

/// A consistency boundary whose state is the fold of its events.
///
/// The [`aggregate!`](crate::aggregate!) macro makes every implementor a `cqrs_es::Aggregate` too, whose `handle` only
/// writes down what [`Decide::decide`] returned.
pub trait Decide: Default + Clone + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The stream's kind, e.g. `payment` in `payment-0192…`. Never changes once released.
    const KIND: &'static str;
    /// What a caller may ask.
    type Command: Clone + Send + Sync;
    /// What happened.
    type Event: cqrs_es::DomainEvent + Sealable + Shaped + 'static;
    /// Why a command was turned down.
    type Rejection: Error + Clone + PartialEq + Send + Sync + 'static;

    /// Decides what happens, without changing anything. No events means: heard, and nothing new.
    ///
    /// # Errors
    /// The rejection says which rule of the specification stands against the command.
    fn decide(&self, command: Self::Command) -> Result<Vec<Self::Event>, Self::Rejection>;

    /// Takes in one thing that happened. Never fails: the past is not up for debate.
    fn evolve(&mut self, event: &Self::Event);
}

/// Folds `events` from the beginning.
pub fn fold<'e, A: Decide>(events: impl IntoIterator<Item = &'e A::Event>) -> A {
    let mut state = A::default();
    for event in events {
        state.evolve(event);
    }
    state
}

/// Makes a [`Decide`] implementor a `cqrs_es::Aggregate` without services.
#[macro_export]
macro_rules! aggregate {
    ($aggregate:ty) => {
        impl ::cqrs_es::Aggregate for $aggregate {
            const TYPE: &'static str = <$aggregate as $crate::aggregate::Decide>::KIND;
            type Command = <$aggregate as $crate::aggregate::Decide>::Command;
            type Event = <$aggregate as $crate::aggregate::Decide>::Event;
            type Error = <$aggregate as $crate::aggregate::Decide>::Rejection;
            type Services = ();

            async fn handle(
                &mut self,
                command: Self::Command,
                _services: &Self::Services,
                sink: &::cqrs_es::event_sink::EventSink<Self>,
            ) -> Result<(), Self::Error> {
                for event in $crate::aggregate::Decide::decide(self, command)? {
                    sink.write(event, self).await;
                }
                Ok(())
            }

            fn apply(&mut self, event: Self::Event) {
                $crate::aggregate::Decide::evolve(self, &event);
            }
        }
    };
}

/// Names the stored type and shape version of each event, for `cqrs_es::DomainEvent`, and the steps from older shapes.
///
/// `event_names!(PaymentEvent { Opened => "PaymentOpened" 1, … })`: the stored name and version never change once released.
/// A changed shape gets the next version, and behind the list a step: `upcasts { "PaymentOpened" 1 => "PaymentOpened" 2:
/// with_a_currency }`, a function from the older payload's JSON to the newer one's.
#[macro_export]
macro_rules! event_names {
    (
        $event:ty { $($variant:ident => $name:literal $version:literal),* $(,)? }
        $(upcasts { $($old:literal $before:literal => $new:literal $after:literal: $change:expr),* $(,)? })?
    ) => {
        impl ::cqrs_es::DomainEvent for $event {
            fn event_type(&self) -> String {
                match self { $(Self::$variant { .. } => $name.to_owned()),* }
            }
            fn event_version(&self) -> String {
                match self { $(Self::$variant { .. } => stringify!($version).to_owned()),* }
            }
        }

        impl $crate::shape::Shaped for $event {
            const CURRENT: &'static [$crate::shape::Shape<'static>] = &[$(($name, $version)),*];
            const UPCASTS: &'static [$crate::shape::Upcast] = &[$($($crate::shape::Upcast {
                from: ($old, $before),
                to: ($new, $after),
                change: $change,
            }),*)?];
        }
    };
}
