//! The address of a link by which staff or a provider open a student's document. It names the lead, which opens nothing by itself, and
//! proves that this server made the link; whether it is still good is what the form's events say.

use domain::id::LeadId;
use eventlog::HandleHasher;
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

/// The last part of the address of a link.
pub fn token(handles: &HandleHasher, lead_id: LeadId, link_id: Uuid) -> String {
    let proof = proof(handles, lead_id, link_id);
    format!("{}-{}-{}", lead_id.0.simple(), link_id.simple(), proof.simple())
}

/// The lead and the link of an address that this server made; `None` for every other text.
pub fn link_of(handles: &HandleHasher, token: &str) -> Option<(LeadId, Uuid)> {
    let mut parts = token.split('-').map(|part| Uuid::try_parse(part).ok());
    let (lead_id, link_id, given) = (LeadId(parts.next()??), parts.next()??, parts.next()??);
    let right: bool = proof(handles, lead_id, link_id)
        .as_bytes()
        .ct_eq(given.as_bytes())
        .into();
    (parts.next().is_none() && right).then_some((lead_id, link_id))
}

fn proof(handles: &HandleHasher, lead_id: LeadId, link_id: Uuid) -> Uuid {
    handles.id("document_link", &format!("{lead_id}:{link_id}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_leads_back_to_its_lead_and_link() {
        let handles = HandleHasher::random();
        let (lead, link) = (LeadId(Uuid::from_u128(5)), Uuid::from_u128(6));
        let address = token(&handles, lead, link);
        assert_eq!(link_of(&handles, &address), Some((lead, link)));
        let other = address.replacen("0005-", "0007-", 1);
        for wrong in ["", "a-b-c", &address[1..], &format!("{address}-0"), &other] {
            assert_eq!(link_of(&handles, wrong), None, "{wrong}");
        }
    }
}
