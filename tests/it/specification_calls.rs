//! The table of Spec §7: every call with every parameter that it names is answered as it is without it, and takes what the site's
//! applications add to all requests. Calls that nothing serves yet stand in the table with what is missing.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::Server;

use crate::visitor::{Visitor, enquiry};

/// "All requests add", and the parameters that stand beside single calls (D76, D130).
const COMMON: [&str; 5] = [
    "is_whitelabel=true",
    "user_flow_token=0f3a",
    "user_auth_token=0f3a",
    "cache=false",
    "lang=en",
];

const HOME_METHODS: &str = "methods=region,reviews_count,reviews_rating,site_plan,meta_facts,meta_distances,feature_tags,\
    destination_distances,children_short,location_coordinates,meta_general_facts,meta_community_facts,region_parent_country";
const BOOKING_METHODS: &str =
    "methods=active_children,inventory_custom_form,meta,pricing,offers,region_parent_city_canonical";
const REGION_METHODS: &str = "methods=parent_name,ancestors_short,root_name,parent_canonical_name,stories,\
    region_inventory_price_range,application_configs";

/// Calls that are served, with their parameters. `{home}`, `{region}`, `{lead}` and `{payment}` stand for real ones.
const SERVED: [(&str, &[&str]); 31] = [
    ("POST /api/v0/auth/users/inventories_shortlists/", &[]),
    ("POST /api/v0/auth/users/inventories_shortlists", &[]),
    ("DELETE /api/v0/auth/users/inventories_shortlists/{home}", &[]),
    (
        "GET /api/v1/regions/index_bulk?canonical_names=leeds",
        &["ids={region}", REGION_METHODS, "only=name"],
    ),
    ("GET /api/v0/auth/providers/users", &[]),
    ("GET /api/v0/users/details", &[]),
    ("POST /api/v0/leads/", &[]),
    ("PUT /api/v0/leads/{lead}", &["methods=inventory_root"]),
    (
        "GET /api/v0/leads/{lead}",
        &["methods=inventory_root", "methods=forms_present,inventory_root"],
    ),
    ("POST /api/v0/leads/virtual_tour_request", &[]),
    (
        "GET /api/v0/regions/leeds",
        &[REGION_METHODS, "location_place_id=ChIJ", "lang=zh"],
    ),
    ("GET /api/v0/regions/{region}", &["only=name,location", "lang=zh"]),
    (
        "GET /api/v0/regions",
        &[
            "p=1",
            "limit=1000",
            "state=active",
            REGION_METHODS,
            "only=name",
            "ancestor_id={region}",
            "sort_key=name",
            "sort_order=asc",
            "region_types=locality,establishment",
            "region_type=locality",
        ],
    ),
    ("GET /api/v1/inventories", &SEARCH),
    ("GET /api/v0/inventories", &["type=student_accommodation"]),
    (
        "GET /api/v0/inventories/{home}",
        &[
            "type=",
            "type=student_accommodation",
            "region_id={region}",
            HOME_METHODS,
        ],
    ),
    ("GET /api/v0/inventories/{home}", &["type=", BOOKING_METHODS]),
    ("GET /api/v0/inventories/{home}/view_count", &[]),
    (
        "GET /api/v0/inventories/{home}/reviews/media",
        &["page=1", "limit=30"],
    ),
    ("GET /api/v0/inventories/{home}/offers", &["lang=zh"]),
    ("GET /api/v0/inventories/{home}/room_types", &ROOM_TYPES),
    ("GET /api/v0/inventories/{home}/price_trends", &[]),
    (
        "GET /api/v0/regions/nearby_places?id={home}",
        &[
            "region_types=locality,sublocality,establishment",
            "for_property_page=true",
            "lang=zh",
        ],
    ),
    (
        "GET /api/v0/payments/{payment}",
        &["methods=inventory_root,form_uuid,fetch_payment_info"],
    ),
    ("POST /api/v0/users/generate_email_otp", &CODE),
    ("POST /api/v0/users/external_service/generate_email_otp", &CODE),
    ("POST /api/v0/users/generate_phone_otp", &CODE),
    ("POST /api/v0/users/login_email_otp", &[]),
    ("POST /api/v0/users/login_phone_otp", &[]),
    ("POST /api/v0/users/logout", &[]),
    ("GET /api/openapi.json", &[]),
];

const CODE: [&str; 3] = [
    "recaptcha_token=0f3a",
    "recaptcha_action=email_login",
    "with_visual_challenge=true",
];

const ROOM_TYPES: [&str; 11] = [
    "type=",
    "limit=200",
    "use_open_search=true",
    "lang=en",
    "only=name,from,options",
    "methods=active_children",
    "filters=",
    "filters=private_room,shared_kitchen",
    "meta_types=private_room,private_bathroom",
    "room_types=private_room&bathroom_types=private_bathroom",
    "kitchen_types=shared_kitchen",
];

/// Every inventory search query parameter.
const SEARCH: [&str; 44] = [
    "p=1",
    "limit=10",
    "only=name",
    "methods=reviews_count",
    "except=images",
    "type=student_accommodation",
    "region_radius=20000",
    "region_type=circle",
    "sort_key=available_price",
    "sort_order=asc",
    "min_price=100",
    "max_price=900",
    "range_available_price=100,900",
    "meta_bedroom_counts=1",
    "meta_bathroom_counts=1",
    "region_center=53.8,-1.55",
    "meta_types=private_room",
    "meta_unit_types=student_accommodation",
    "statuses=active",
    "features=wifi",
    "features_and=true",
    "available=true",
    "name=court",
    "owner=01923456-789a-7bcd-8ef0-123456789abc",
    "meta_min_lease_duration=10",
    "meta_max_lease_duration=51",
    "move_in_month=9",
    "use_open_search=true",
    "tags=exclusive",
    "guarantor=local",
    "locality=Leeds",
    "region_canonical_name=leeds",
    "region_lat=53.8&region_lng=-1.55",
    "region_type=bounds&region_bounds_lat1=53&region_bounds_lng1=-2&region_bounds_lat2=54&region_bounds_lng2=-1",
    "locality_canonical_name=leeds",
    "locality_radius=8046",
    "weekly_range_price=100,900",
    "duration=weekly",
    "lang=zh",
    "destination_coordinates=53.8,-1.55",
    "room_types=private_room",
    "bathroom_types=private_bathroom",
    "kitchen_types=shared_kitchen",
    "whitelabel_partner_id=01923456-789a-7bcd-8ef0-123456789abc",
];

/// Calls of the specification that answer 404 to this day, with what is missing. Whoever serves one moves it up.
const STRUCK_OUT: [(&str, &str); 13] = [
    (
        "GET /api/v0/application_config?page=home",
        "the site's configuration by page or region",
    ),
    ("GET /api/v0/leads/partners/7", "partners' sites"),
    (
        "GET /api/v0/leads/partners/configuration?partner_id=7",
        "partners' sites",
    ),
    (
        "GET /api/v0/leads/partners/whitelabel_domain_url?whitelabel_domain_url=a.example",
        "partners' sites",
    ),
    ("POST /api/v0/users/connect_wechat", "social sign-in"),
    ("POST /api/v0/users/connect_facebook", "social sign-in"),
    ("POST /api/v0/users/connect_google_id", "social sign-in"),
    ("POST /api/v0/users/connect_apple", "social sign-in"),
    ("POST /api/log-web-vitals", "measures of pages"),
    ("GET /api/features/7", "feature flags"),
    ("POST /api/eval/7", "feature flags"),
    ("GET /sub/7", "feature flags"),
    ("POST /api/v0/user_flow/events", "journeys of visitors (D116)"),
];

/// Values of the placeholders in the table.
struct Real {
    home: String,
    region: String,
    lead: String,
    payment: String,
}

impl Real {
    /// An enquiry about the first home, and its payment.
    async fn made_by(visitor: &Visitor<'_>) -> Self {
        let found = visitor.get("/api/v1/inventories?available=true&limit=1").await;
        let home = text(&found.data()["result"][0]["id"]);
        let types = visitor
            .get(&format!("/api/v0/inventories/{home}/room_types"))
            .await;
        let stay = &types.data()["result"][0]["options"][0];
        let room = &stay["inventory_id"];
        let mut asked = enquiry("Mei Lin", "mei@example.com");
        asked["lead"]["inventory_id"] = room.clone();
        for term in ["move_in_date", "lease_duration", "lease_duration_unit"] {
            asked["lead"]["data"][term] = stay[term].clone();
        }
        let lead = visitor.post("/api/v0/leads", asked).await;
        let lead = text(&lead.data()["lead_uuid"]);
        let payment = json!({ "payment": { "lead_uuid": lead, "inventory_id": room } });
        let payment = visitor.post("/api/v0/payments", payment).await;
        let region = visitor.get("/api/v0/regions/leeds").await;
        Self {
            home,
            region: text(&region.data()["id"]),
            lead,
            payment: text(&payment.data()["token"]),
        }
    }

    fn fill_in(&self, address: &str) -> String {
        let names = [
            ("{home}", &self.home),
            ("{region}", &self.region),
            ("{lead}", &self.lead),
            ("{payment}", &self.payment),
        ];
        names.iter().fold(address.to_owned(), |filled, (name, real)| {
            filled.replace(name, real)
        })
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value}")).to_owned()
}

/// A call's status and code. Writes send an object without a field: what is wrong with it has nothing to do with the address.
async fn ask(visitor: &Visitor<'_>, call: &str) -> (StatusCode, String) {
    let (method, address) = call.split_once(' ').unwrap();
    let method: Method = method.parse().unwrap();
    let body = (method != Method::GET).then(|| json!({}));
    let answer = visitor.call(method, address, body, &[]).await;
    (answer.status, answer.code().to_owned())
}

fn with_query(call: &str, parameters: &str) -> String {
    let joint = if call.contains('?') { '&' } else { '?' };
    format!("{call}{joint}{parameters}")
}

/// Every call, with each parameter alone and with all that the applications add.
#[tokio::test]
async fn specification_calls_take_every_parameter_they_name() {
    let server = Server::with_catalogue();
    let visitor = Visitor::new(&server);
    let real = Real::made_by(&visitor).await;
    let mut wrong = Vec::new();
    for (call, parameters) in SERVED {
        let plain = real.fill_in(call);
        let expected = ask(&visitor, &plain).await;
        if plain.starts_with("GET") && !call.contains("/auth/") {
            assert_eq!(expected.0, StatusCode::OK, "{call}");
        }
        let together = COMMON.join("&");
        let alone = parameters.iter().chain(&COMMON).copied();
        for parameter in alone.chain([together.as_str()]) {
            let given = with_query(&plain, &real.fill_in(parameter));
            let answered = ask(&visitor, &given).await;
            if answered != expected {
                wrong.push(format!("{call} with {parameter}: {answered:?}, not {expected:?}"));
            }
        }
    }
    for (call, missing) in STRUCK_OUT {
        let (status, _) = ask(&visitor, call).await;
        if status != StatusCode::NOT_FOUND {
            wrong.push(format!(
                "{call} answers {status}: its row ({missing}) moves to those served"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Deleted homes stand in no list but those that staff ask for, and in no page.
#[tokio::test]
async fn deleted_homes_are_listed_to_staff_alone() {
    let server = Server::with_catalogue();
    let [visitor, student, support] = [(); 3].map(|()| Visitor::new(&server));
    student.log_in("mei@uni.example").await;
    support.log_in_as("support").await;
    for list in ["/api/v1/inventories", "/api/v0/inventories"] {
        for statuses in ["deleted", "active,deleted", "DELETED,deleted"] {
            let path = format!("{list}?statuses={statuses}");
            for outsider in [&visitor, &student] {
                let refused = outsider.get(&path).await;
                let right = [StatusCode::FORBIDDEN, StatusCode::UNPROCESSABLE_ENTITY];
                assert_eq!(
                    refused.status,
                    right[usize::from(statuses.contains('D'))],
                    "{path}"
                );
            }
        }
        let path = format!("{list}?statuses=deleted");
        let listed = support.get(&path).await;
        assert!(listed.data()["meta"]["count"].as_u64().unwrap() > 0, "{path}");
    }
    let page = "/_page?url=/places/search/leeds";
    let count = async |path: &str| {
        let page = visitor.get(path).await;
        page.data()["data"]["search"]["meta"]["count"].clone()
    };
    let shown = count(page).await;
    assert!(shown.as_u64().is_some(), "{shown}");
    assert_eq!(count(&format!("{page}%3Fstatuses=deleted")).await, shown);
}
