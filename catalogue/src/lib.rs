//! The demo catalogue: checked-in facts and a deterministic generator. No clock, no random numbers.
