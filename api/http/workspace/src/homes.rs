//! Homes as staff keep them (HOMES.md "Who keeps homes").

use http_kit::endpoints::Endpoints;

use crate::Services;

mod access;
mod acts;
mod drafts;
mod list;
mod one;
mod read_edit;
mod refusals;
mod rooms;
mod shown;
mod steps;
mod stock;
mod tried;
mod values;

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
