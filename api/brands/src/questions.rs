//! Questions about brands.

pub mod brand_state;
