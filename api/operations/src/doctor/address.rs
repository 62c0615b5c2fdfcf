//! What the doctor says of the addresses that a server would listen at.

use std::io::ErrorKind;
use std::net::TcpListener;

use platform::config::Settings;

use super::finding::Finding;

const WHAT: &str = "address";

/// Takes each for a moment, as a start does. A server of this very folder holds them as it should, so nothing here is wrong.
pub(super) fn of_addresses(settings: &Settings) -> Vec<Finding> {
    let metrics = settings.metrics_listen.map(|address| ("metrics_listen", address));
    [("listen", settings.listen)]
        .into_iter()
        .chain(metrics)
        .filter_map(|(setting, address)| {
            let problem = TcpListener::bind(address).err()?;
            let said = if problem.kind() == ErrorKind::AddrInUse {
                format!(
                    "something listens at `{address}` (`{setting}`): a running server, or another program; with that one no \
                     server starts: end it, or set `{setting}` to another port"
                )
            } else {
                format!(
                    "`{address}` (`{setting}`) cannot be listened at: {problem}; set an address of this machine and a port that \
                     the server's user may have"
                )
            };
            Some(Finding::look(WHAT, said))
        })
        .collect()
}
