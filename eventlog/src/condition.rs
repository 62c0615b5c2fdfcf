//! Whether the log takes writes, for those who look after it.

use tokio::sync::watch;

/// What the last writes met with. Reads go on in every condition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Condition {
    /// Writes are taken.
    #[default]
    Well,
    /// The last write found no room on the disk; the next one that does ends this.
    Full,
    /// The disk failed: no write is taken until the log is opened anew. Says how it failed.
    Stopped(String),
}

/// The writer's side of it.
pub(crate) struct HealthReport(watch::Sender<Condition>);

impl HealthReport {
    pub(crate) fn new() -> (Self, watch::Receiver<Condition>) {
        let (sender, receiver) = watch::channel(Condition::Well);
        (Self(sender), receiver)
    }

    /// Why nothing is written any more.
    pub(crate) fn stopped(&self) -> Option<String> {
        match &*self.0.borrow() {
            Condition::Stopped(why) => Some(why.clone()),
            Condition::Well | Condition::Full => None,
        }
    }

    /// Nothing is written from here on.
    pub(crate) fn stop(&self, why: String) {
        tracing::error!(
            why,
            "the log takes no more writes, because its disk failed or its file is gone; reads go on. Look at the disk, then start the server again"
        );
        self.0.send_replace(Condition::Stopped(why));
    }

    /// There is no room.
    pub(crate) fn full(&self, why: &str) {
        if self.0.send_if_modified(|now| turned(now, Condition::Full)) {
            tracing::error!(
                why,
                "the log's disk is full; reads go on, and writes will once there is room. Make room: no restart is needed"
            );
        }
    }

    /// Something was written.
    pub(crate) fn wrote(&self) {
        if self.0.send_if_modified(|now| turned(now, Condition::Well)) {
            tracing::warn!("the log's disk has room again, and writes go on");
        }
    }
}

/// Takes the other condition on, unless it is the same or the end of all writing.
fn turned(now: &mut Condition, next: Condition) -> bool {
    let turns = *now != next && !matches!(now, Condition::Stopped(_));
    if turns {
        *now = next;
    }
    turns
}
