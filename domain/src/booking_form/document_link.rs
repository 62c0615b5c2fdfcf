//! Links by which staff and the property's provider open a student's document: each opens one document once, for some minutes, and
//! who opened it stays in the log (D93, decision 0026).

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::moment::Moment;

/// A file sent with a form (D93). Its bytes lie sealed beside the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    pub document_id: Uuid,
    /// Found by looking at the bytes, never believed.
    pub media_type: String,
    pub size_bytes: u64,
    /// SHA-256 of the plain bytes, in hex.
    pub digest: String,
}

/// For whom a link was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// Opens it with a login that may see leads.
    Staff,
    /// Opens it without a login: the provider of the property has none.
    Provider,
}

impl Audience {
    pub const ALL: [Self; 2] = [Self::Staff, Self::Provider];

    /// The word on the wire.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Staff => "staff",
            Self::Provider => "provider",
        }
    }

    /// Reads the word on the wire.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|audience| audience.key() == key)
    }
}

/// A link to one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentLink {
    pub link_id: Uuid,
    pub document_id: Uuid,
    pub audience: Audience,
    pub expires_at: Moment,
}

/// What may be asked of links.
#[derive(Debug, Clone, Copy)]
pub enum LinkCommand {
    Make {
        link: DocumentLink,
        at: Moment,
    },
    /// Opens the document: the link ends with it.
    Use {
        link_id: Uuid,
        at: Moment,
    },
}
