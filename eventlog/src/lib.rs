//! The append-only log, and the one way to change anything. Knows no HTTP and no housing rules.
//!
//! [`commit`](commit::commit) is what almost everybody needs: it loads an aggregate, lets it decide, and appends what
//! happened. [`EventLog::append`] writes the decisions of several aggregates at once. Readers follow the log with
//! [`EventLog::watch`] and [`EventLog::read_all`].

#[cfg(test)]
#[path = "../conformance/src/account.rs"]
pub mod account;
pub mod actor;
pub mod append;
pub mod audit;
mod branch;
pub mod chain;
pub mod clock;
mod codec;
pub mod commit;
mod condition;
pub mod consistency;
pub mod context;
pub mod engine;
pub mod error;
pub mod event;
mod evidence;
pub mod fact;
pub mod forecast;
pub mod grouped;
pub mod handles;
pub mod head_folder;
mod hexadecimal;
mod hot;
mod key_store;
mod loaded;
mod log;
pub mod measure;
mod memory;
pub mod merkle;
mod notary;
mod past;
pub mod plan;
pub mod planted;
pub mod port;
mod private_file;
pub mod proof;
pub mod reads;
mod ring;
#[cfg(all(test, feature = "schedules"))]
mod schedules;
mod seal;
mod shapes;
pub mod signed_head;
mod signed_text;
#[cfg(any(debug_assertions, feature = "simulation"))]
pub mod simulated;
mod snapshot;
mod stock;
pub mod stream;
pub mod verify;
mod without;
mod writer;

pub use actor::{Actor, ActorKind};
pub use append::{Append, Appended, Expected, Guard, NewEvent, StreamAppend};
pub use audit::Audit;
pub use commit::{
    CommitError, Committed, commit, commit_expecting, commit_together, done_before, done_before_on, load,
};
pub use condition::Condition;
pub use consistency::{ConsistencyFault, ConsistencyProof};
pub use context::Context;
pub use error::{AppendError, CodecError, LogError};
pub use event::{Hash, RecordedEvent};
pub use fact::{Fact, Folded};
pub use handles::HandleHasher;
pub use head_folder::HeadFolder;
pub use loaded::Loaded;
pub use log::EventLog;
pub use proof::{Proof, ProofFault};
pub use shapes::StoredShape;
pub use signed_head::{PublicKey, SignedHead, Signer};
pub use stream::{Position, Revision, StreamId};
pub use verify::{Anchor, Problem, Verdict};
