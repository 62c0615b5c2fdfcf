//! The house's own brand, as administrators keep it: a draft with a preview of its colours, pictures, publication and the way back.

use http_kit::endpoints::Endpoints;

use crate::Services;

pub mod draft;
pub mod pictures;
mod refusals;
pub mod shown;
pub mod versions;

/// Routes of this resource, and who may call them.
pub fn endpoints() -> Endpoints<Services> {
    Endpoints::new()
        .merge(draft::endpoints())
        .merge(pictures::endpoints())
        .merge(versions::endpoints())
}
