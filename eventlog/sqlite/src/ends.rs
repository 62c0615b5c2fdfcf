//! Where streams ended after this process' last commits, so that the next command on one of them asks the file nothing.

use std::collections::HashMap;

use eventlog::plan::{Head, Plan, StreamHead};
use eventlog::stream::StreamId;

/// Streams that are known; with more of them all are let go of. Some 100 bytes each.
const KNOWN: usize = 32_768;

/// They hold as long as the log ends where this process left it.
#[derive(Default)]
pub(super) struct Ends {
    head: Head,
    of: HashMap<StreamId, StreamHead>,
}

impl Ends {
    /// Lets go of everything when the log ends elsewhere: another process has written, or the file was put back.
    pub(super) fn hold_for(&mut self, head: &Head) {
        if self.head != *head {
            self.of.clear();
            self.head = *head;
        }
    }

    pub(super) fn of(&self, stream: &StreamId) -> Option<StreamHead> {
        self.of.get(stream).copied()
    }

    /// Takes in a plan that was committed on top of what is known; `keys` are its streams'.
    pub(super) fn moved(&mut self, plan: &Plan, keys: &HashMap<StreamId, i64>) {
        if self.of.len() + plan.streams.len() > KNOWN {
            self.of.clear();
        }
        for (stream, head) in &plan.streams {
            let key = keys.get(stream).copied();
            self.of.insert(*stream, StreamHead { key, ..*head });
        }
        self.head = plan.head;
    }
}

#[cfg(test)]
mod tests {
    use crate::conformance::open;
    use eventlog::AppendError;
    use eventlog::append::Expected;
    use eventlog_conformance::AccountEvent::Deposited;
    use eventlog_conformance::{account, direct};

    /// Where a stream ended is forgotten when another process has written.
    #[tokio::test]
    async fn known_stream_ends_are_dropped_after_a_foreign_write() {
        let dir = tempfile::tempdir().expect("a folder");
        let nodes = [open(dir.path()).await, open(dir.path()).await];
        let add = async |node: usize, expected| {
            let append = direct(account(1), expected, &[Deposited { amount: 1 }]);
            nodes[node].append(append).await
        };
        for revision in 0..6 {
            let node = usize::from(revision % 3 == 2);
            add(node, Expected::Revision(revision))
                .await
                .expect("where it stands");
            let late = add(1 - node, Expected::Revision(revision)).await;
            assert!(
                matches!(late, Err(AppendError::Conflict { current, .. }) if current == revision + 1),
                "{late:?}"
            );
        }
    }

    #[tokio::test]
    async fn a_file_of_before_is_laid_out_like_a_new_one_and_goes_on() {
        let dir = tempfile::tempdir().expect("a folder");
        let log = open(dir.path()).await;
        let add = direct(account(1), Expected::Revision(0), &[Deposited { amount: 1 }]);
        log.append(add).await.expect("written");
        drop(log);
        let file = rusqlite::Connection::open(dir.path().join("log.db")).expect("the file opens");
        let laid_out = || {
            let names = "select group_concat(name) from (select name from sqlite_schema union all \
                         select name from pragma_table_info('stream') order by name)";
            let said: String = file.query_row(names, [], |row| row.get(0)).expect("said");
            said
        };
        let new = laid_out();
        let before = "alter table stream add column revision integer not null default 1;
            alter table stream add column last_event blob not null default x'';
            create index command_by_expiry on command (expires_at); pragma user_version = 5";
        file.execute_batch(before).expect("as it was before");
        assert_ne!(laid_out(), new);
        let log = open(dir.path()).await;
        assert_eq!(laid_out(), new);
        let add = direct(account(1), Expected::Revision(1), &[Deposited { amount: 2 }]);
        log.append(add).await.expect("it goes on");
    }
}
