//! What every part of the server needs from the machine below it: time and ids, settings, the server's own database and its leases,
//! disk space, network addresses, texts of the catalogues, tables for spreadsheets, printing. Knows no HTTP, no mail server and no payment gateway.

mod carried;
pub mod clock;
pub mod config;
pub mod country_zone;
pub mod days;
pub mod desk;
pub mod disk;
pub mod duty;
pub mod forms;
pub mod host_name;
pub mod message;
pub mod morning;
pub mod network;
pub mod outage;
pub mod palette;
pub mod printout;
pub mod provider_words;
pub mod sheet;
pub mod sites;
pub mod terms_of_use;
pub mod texts;
