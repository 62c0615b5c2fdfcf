//! Homes as staff keep them (HOMES.md "Who keeps homes").

use http_kit::endpoints::Endpoints;

use crate::Services;

mod access;
pub mod acts;
pub mod drafts;
pub mod list;
pub mod one;
pub mod read_edit;
pub(crate) mod refusals;
pub mod rooms;
pub mod shown;
pub mod steps;
pub mod stock;
pub mod tried;
pub mod values;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .merge(list::endpoints())
        .merge(drafts::endpoints())
        .merge(acts::endpoints())
        .merge(one::endpoints())
        .merge(values::endpoints())
        .merge(rooms::endpoints())
        .merge(stock::endpoints())
        .merge(steps::endpoints())
        .merge(tried::endpoints())
}
