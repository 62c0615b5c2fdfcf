//! What every part of the server needs from the machine below it: time and ids, settings, the server's own database and its leases,
//! disk space, network addresses, texts of the catalogues, printing. Knows no HTTP, no mail server and no payment gateway.

pub mod clock;
pub mod config;
pub mod desk;
pub mod disk;
pub mod duty;
pub mod network;
pub mod outage;
pub mod printout;
pub mod texts;
