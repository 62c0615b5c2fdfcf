//! Looking for what was perhaps written a moment ago.

use std::time::Duration;

use eventlog::Position;

use super::Applied;

/// What a search of the read models came to.
#[derive(Debug, PartialEq, Eq)]
pub enum Sought<T> {
    Found(T),
    Absent,
    /// Not found by those who have still something to hear: nobody can say yet.
    Unheard,
}

impl Applied {
    /// Searches the read models; what is not found at once is searched for again when they have heard all that the log held
    /// by then. They hear on while they are searched, so nothing is absent by the first search alone.
    ///
    /// # Errors
    /// When the search fails, or the log cannot say where it ends.
    pub async fn sought<T, E, S: Future<Output = Result<Option<T>, E>>>(
        &self,
        search: impl Fn() -> S,
        head: impl Future<Output = Result<Position, E>>,
        patience: Duration,
    ) -> Result<Sought<T>, E> {
        if let Some(found) = search().await? {
            return Ok(Sought::Found(found));
        }
        let have_heard = self.wait_for(head.await?, patience).await;
        Ok(match search().await? {
            Some(found) => Sought::Found(found),
            None if have_heard => Sought::Absent,
            None => Sought::Unheard,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::convert::Infallible;

    use tokio::sync::watch;

    use super::*;

    /// Read models that hear one event after `deaf` searches; gives what a search for it comes to.
    async fn sought_while_heard(deaf: usize) -> Sought<&'static str> {
        let position = watch::Sender::new(0);
        let applied = Applied {
            node: "one".into(),
            position: position.subscribe(),
            progress: watch::Sender::new(Vec::new()).subscribe(),
            wanted: watch::Sender::new(0),
        };
        let searches = RefCell::new(0);
        let search = || async {
            let found = *position.borrow() == 1;
            *searches.borrow_mut() += 1;
            if *searches.borrow() == deaf {
                position.send_replace(1);
            }
            Ok::<_, Infallible>(found.then_some("written a moment ago"))
        };
        let head = async { Ok(1) };
        applied
            .sought(search, head, Duration::from_millis(1))
            .await
            .unwrap()
    }

    #[tokio::test]
    async fn what_is_heard_during_a_search_is_found() {
        assert_eq!(sought_while_heard(1).await, Sought::Found("written a moment ago"));
    }

    #[tokio::test]
    async fn what_is_heard_after_the_wait_is_not_called_absent() {
        assert_eq!(sought_while_heard(2).await, Sought::Unheard);
    }
}
