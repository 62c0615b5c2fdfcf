//! Reads single values: numbers, money, days, lengths, words, texts. What can be read in two ways is refused, never guessed.

pub(crate) mod day;
pub(crate) mod html;
pub(crate) mod kind;
pub(crate) mod length;
pub(crate) mod money;
pub(crate) mod words;
