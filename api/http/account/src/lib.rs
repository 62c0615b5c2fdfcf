//! The HTTP surface of an account: codes, login, histories, being forgotten.
#![expect(
    clippy::unused_async,
    reason = "what a route names is asynchronous, also where it waits for nothing"
)]

pub mod case_files;
pub mod cases;
pub mod data_reads;
pub mod forgetting;
pub mod histories;
pub mod login;
pub mod message_choice;
pub mod mirror;
pub mod otp;
pub mod second_factor;
pub mod unsubscribe;
