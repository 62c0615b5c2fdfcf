//! The laws of the repository: what holds for all files, read as text. Each failure names the offender and the way out.
//! Depends on nothing, so that the laws are compiled and run in seconds.
#![cfg(test)]

mod checkout;
mod circles;
mod commit_form;
mod decisions;
mod drawn;
mod engines;
mod faults;
mod findings;
mod glossary;
mod migrations;
mod names;
mod outgoing;
mod papers;
mod reference;
mod rules;
mod rust;
mod sources;
mod stories;
mod texts;
mod threads;
mod typescript;
