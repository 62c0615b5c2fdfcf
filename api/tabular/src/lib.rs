//! Reads what files from elsewhere hold: rows of CSV, amounts and days in the forms in which people, banks and spreadsheets write
//! them. What can be read in two ways is refused, never guessed (decision 0033).

pub mod amount;
pub mod day;
pub mod rows;
