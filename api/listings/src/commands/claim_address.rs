//! Claims the address of a new home in the append that lists it.

use domain::aggregate::Decide as _;
use domain::home_address::{HomeAddress, HomeAddressCommand, list_choices};
use domain::id::{HomeAddressId, InventoryId};
use domain::inventory::let_room::RoomDetails;
use domain::inventory::property::PropertyDetails;
use eventlog::{Append, EventLog, LogError};

/// Claims for a home the first of its choices that no other home has. Gives the address, and the append with the claim.
///
/// # Errors
/// When the log cannot be used.
pub async fn claim_address(
    log: &EventLog,
    (home, wanted): (InventoryId, &str),
    append: Append,
) -> Result<(String, Append), LogError> {
    let choices = list_choices(wanted, home);
    for address in &choices {
        let key = HomeAddressId::of(address);
        let known = log.load::<HomeAddress>(key).await?;
        if !known.state.is_free_for(home) {
            continue;
        }
        // It turns nothing down.
        let claimed = known.state.decide(HomeAddressCommand::Claim { home });
        let claimed = claimed.unwrap_or_default();
        let append = if claimed.is_empty() {
            append
        } else {
            append.decision(key, &known, &claimed)?
        };
        return Ok((address.clone(), append));
    }
    // The last holds all digits of the home's id, which no other home has.
    let [_, _, last] = choices;
    Ok((last, append))
}

/// Gives a home another address, and its rooms those below it.
pub fn move_to_address<'r>(
    property: &mut PropertyDetails,
    rooms: impl IntoIterator<Item = &'r mut RoomDetails>,
    address: String,
) {
    let before = std::mem::replace(&mut property.canonical_name, address);
    for room in rooms {
        if let Some(end) = room.canonical_name.strip_prefix(&before) {
            room.canonical_name = format!("{}{end}", property.canonical_name);
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::trial::context;

    const FIRST: InventoryId = InventoryId(Uuid::from_u128(1 << 100));
    const SECOND: InventoryId = InventoryId(Uuid::from_u128(2 << 100));

    #[tokio::test]
    async fn home_that_comes_second_gets_digits_of_its_own() {
        let log = EventLog::memory();
        for (home, address) in [(FIRST, "aspen-hall"), (SECOND, "aspen-hall-00000020")] {
            let wanted = (home, "aspen-hall");
            let claimed = claim_address(&log, wanted, Append::new(&context())).await;
            let (claimed, append) = claimed.unwrap();
            assert_eq!(claimed, address);
            log.append(append).await.unwrap();
        }
    }

    /// Both look before one of them writes: the log takes one claim.
    #[tokio::test]
    async fn address_is_claimed_once() {
        let log = EventLog::memory();
        let mut appends = Vec::new();
        for home in [FIRST, SECOND] {
            let wanted = (home, "aspen-hall");
            let claimed = claim_address(&log, wanted, Append::new(&context())).await;
            appends.push(claimed.unwrap().1);
        }
        let second = appends.pop().unwrap();
        log.append(appends.pop().unwrap()).await.unwrap();
        log.append(second).await.unwrap_err();
    }
}
