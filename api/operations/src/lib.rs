//! The commands of an operator beside `serve`: doctor, backup, replay, verify, rebuild, forget, grant, set, brand.

pub mod backup;
pub mod brand;
pub mod doctor;
pub mod fit;
pub mod forget;
pub mod forgotten_before;
pub mod grant;
pub mod rebuild;
pub mod rehearsal;
pub mod replay;
pub mod second_factor;
pub mod set;
pub mod stop_signal;
pub mod verdict;
pub mod verify;
