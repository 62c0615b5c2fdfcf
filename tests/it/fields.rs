//! The fields that the specification lists (Spec §3) are in the answers, each under its own name.

use serde_json::{Value, json};
use tests::Server;

use crate::market::Market;
use crate::visitor::{Visitor, enquiry, some_property};

const INVENTORY: &str = "id name parent_id parent region region_id canonical_name status pricing images videos location \
    location_coordinates tags features source_link virtual_views meta faqs owner children_short active_children \
    active_children_count reviews_count reviews_rating provider_id payment_before_bookform is_local_non_commissionable \
    inventory_custom_form offers available config tenancyName level resetMoveInDate meta_general_facts meta_community_facts \
    meta_short feature_tags meta_facts meta_distances destination_distances site_plan region_parent_country \
    region_parent_city_canonical";
const PRICING: &str =
    "min_price max_price price min_available_price max_available_price available_price currency duration";
const META: &str = "meta_title meta_description meta_keywords payment guarantor_required lease_duration available_from_formatted";
const METHODS: &str = "region,site_plan,meta_facts,meta_short,meta_distances,meta_general_facts,meta_community_facts,\
    feature_tags,destination_distances,children_short,region_parent_country,region_parent_city_canonical,active_children,\
    active_children_count,inventory_custom_form,offers,parent";
const REGION: &str = "id name canonical_name region_type state location ancestors parent_canonical_name parent_id meta faqs \
    application_configs";
const LEAD: &str = "id uuid lead_uuid inventory_id inventory_root_id user_details region_id data meta source_details \
    event_options referral_details forms_present state";
const HISTORY: &str = "enquired waitlisted getHelpClicked book_form_initiated book_form_completed payment_initiated \
    payment_completed redirection_urls rooms";
const TREND: &str = "month min median max currency duration n";

fn has(shown: &Value, fields: &str) {
    for field in fields.split_whitespace() {
        assert!(shown.get(field).is_some(), "`{field}` is not in {shown}");
    }
}

/// A property a room and a region have every field of the specification.
#[tokio::test]
async fn property_room_and_region_have_all_specified_fields() {
    let visitor = Visitor::new(Server::shared());
    let property = some_property(&visitor).await;
    let all = async |id: &str| {
        let path = format!("/api/v0/inventories/{id}?methods={METHODS}");
        visitor.get(&path).await.data().clone()
    };
    let house = all(&property).await;
    has(&house, INVENTORY);
    has(&house["pricing"], PRICING);
    has(&house["meta"], META);
    assert!(house["level"].is_null());
    let room = all(house["active_children"][0]["id"].as_str().unwrap()).await;
    has(&room, INVENTORY);
    assert_eq!(
        (&room["level"], &room["parent"]["id"]),
        (&json!("child"), &json!(property))
    );
    let path = format!("/api/v0/inventories/{property}/price_trends");
    has(&visitor.get(&path).await.data()[0], TREND);
    let region = visitor
        .get("/api/v0/regions/london?methods=meta,faqs,application_configs")
        .await;
    has(region.data(), REGION);
    has(&region.data()["meta"], "title meta keywords");
    has(
        &region.data()["location"]["coordinates"],
        "location_coordinates location_bounds",
    );
    assert!(region.data()["faqs"].as_array().unwrap().len() >= 3);
}

/// A stored lead tells all it was sent with and the history where to go on.
#[tokio::test]
async fn stored_lead_tells_all_it_was_sent_with_and_what_is_next() {
    let Market { server, .. } = Market::open(&[9], &[]).await;
    let mei = Visitor::new(&server);
    let mut body = enquiry("Mei Lin", "mei@example.com");
    body["lead"]["inventory_id"] = json!(some_property(&mei).await);
    body["lead"]["meta"] =
        json!({ "lead_source": "agent", "idp_form_data": { "councellor_office": "Leeds" } });
    body["lead"]["event_options"] = json!({ "user_notification": "false" });
    let lead = mei.post("/api/v0/leads", body).await.data().clone();
    has(&lead, LEAD);
    has(
        &lead["user_details"]["phone_details"],
        "country_code national international",
    );
    assert_eq!(lead["meta"]["idp_form_data"]["councellor_office"], "Leeds");
    assert_eq!(lead["source_details"]["utm_source"], "newsletter");
    assert_eq!(lead["event_options"]["user_notification"], "false");
    let path = format!(
        "/api/v0/inventories/{}/user_history?lead_uuid={}",
        lead["inventory_root_id"].as_str().unwrap(),
        lead["lead_uuid"].as_str().unwrap()
    );
    let history = mei.get(&path).await.data().clone();
    has(&history, HISTORY);
    assert_eq!(history["enquired"], true);
}
