//! The keys by which addresses name a property or a room: its id, every canonical name it ever had, and its feed's own id.

use domain::id::InventoryId;
use domain::inventory::{Described, InventoryEvent};
use sqlx::{AnyConnection, AnyPool};

/// The meaning of a key in an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named {
    /// The property or room that is meant.
    pub inventory: InventoryId,
    /// The property it belongs to, or is.
    pub root: InventoryId,
}

impl Named {
    pub fn is_room(self) -> bool {
        self.inventory != self.root
    }
}

/// Finds a property or room by id, canonical name or feed id.
///
/// # Errors
/// When the database fails.
pub async fn find(pool: &AnyPool, key: &str) -> Result<Option<Named>, sqlx::Error> {
    let row: Option<(String, String)> =
        sqlx::query_as("select inventory, root from inventory_name where name = $1")
            .bind(key)
            .fetch_optional(pool)
            .await?;
    Ok(row.and_then(|(inventory, root)| {
        Some(Named {
            inventory: inventory.parse().ok()?,
            root: root.parse().ok()?,
        })
    }))
}

/// Kinds of names. Feeds choose their ids as they like: one that is written as the id or the address of another home does not stand for it.
#[derive(Debug, Clone, Copy)]
enum NameKind {
    Id,
    Address,
    FeedId,
}

impl NameKind {
    /// Of two names that are written alike the lower one stands, and of equal ones the later. Feeds share ids, and the streams of their homes
    /// have no order: of two such ids that of the lower home stands.
    const fn precedence(self) -> i64 {
        match self {
            Self::Id => 0,
            Self::Address => 1,
            Self::FeedId => 2,
        }
    }
}

/// Keeps the names that an event gives to a property or to one of its rooms.
pub(super) async fn keep_names(
    connection: &mut AnyConnection,
    property_id: InventoryId,
    event: &InventoryEvent,
) -> Result<(), sqlx::Error> {
    for (kind, name, inventory) in list_names(property_id, event) {
        sqlx::query(
            "insert into inventory_name (name, inventory, root, precedence) values ($1, $2, $3, $4)
             on conflict (name) do update
             set inventory = excluded.inventory, root = excluded.root, precedence = excluded.precedence
             where excluded.precedence < inventory_name.precedence
             or excluded.precedence = inventory_name.precedence
             and (excluded.precedence <> $5 or excluded.inventory <= inventory_name.inventory)",
        )
        .bind(name)
        .bind(inventory.to_string())
        .bind(property_id.to_string())
        .bind(kind.precedence())
        .bind(NameKind::FeedId.precedence())
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

fn list_names(property_id: InventoryId, event: &InventoryEvent) -> Vec<(NameKind, String, InventoryId)> {
    match event.described() {
        Some(Described::Property(property)) => {
            let mut names = vec![
                (NameKind::Id, property_id.to_string(), property_id),
                (NameKind::Address, property.canonical_name.clone(), property_id),
            ];
            let source = property.source.as_ref();
            names.extend(source.map(|source| (NameKind::FeedId, source.id.clone(), property_id)));
            names
        }
        Some(Described::Room(room)) => vec![
            (NameKind::Id, room.id.to_string(), room.id),
            (NameKind::Address, room.canonical_name.clone(), room.id),
        ],
        None => Vec::new(),
    }
}
