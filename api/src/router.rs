//! Every route, one line each, in the order of the specification §7; a table of contents of the server.

use std::time::Duration;

use account::{
    case_files, cases, data_reads, forgetting, histories, login, message_choice, mirror, second_factor,
    unsubscribe,
};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::IntoResponse;
use axum::routing::get;
use booking::{
    booking_forms, document_links, documents, earlier_answers, leads, payments, ratings, receipts,
    sandbox_pages, webhooks,
};
use health::readiness;
use http_kit::error::ApiError;
use http_kit::list_queries::{self, ListQueries};
use http_kit::said::say;
use http_kit::{maintenance, permissions, proof_of_work, request, security};
use pages::{pictures, site};
use serde_json::Value;
use shop::{activity, inventories, regions, search, shortlists};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use workspace::finance::statement;

use crate::app::App;
use crate::as_of::{self, AsOf};
use crate::{contract, dev_clock, outbox_pages};

/// Larger bodies are answered with 413.
const BODY_MAX: usize = 256 * 1024;
/// The budget of one answer (D131); streams of events answer at once and are not counted.
const ANSWER_BUDGET: Duration = Duration::from_secs(30);

/// How long the rest of a refused body is waited for.
const REST_WAIT: Duration = Duration::from_secs(5);

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Latchkey",
        description = "Student-housing search, booking and payment"
    ),
    paths(contract::serve)
)]
struct Api;

/// All routes with their OpenAPI document.
fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Api::openapi())
        .routes(routes!(regions::bulk_regions))
        .routes(routes!(regions::show_region))
        .routes(routes!(regions::list_regions))
        .routes(routes!(regions::nearby_places))
        .routes(routes!(search::list_inventories))
        .routes(routes!(inventories::list))
        .routes(routes!(inventories::show))
        .routes(routes!(inventories::view_count))
        .routes(routes!(inventories::reviews_media))
        .routes(routes!(inventories::offers))
        .routes(routes!(inventories::room_types))
        .routes(routes!(inventories::price_trends))
        .routes(routes!(search::suggest::suggest))
        .routes(routes!(login::provider_users))
        .routes(routes!(login::details))
        .routes(routes!(login::generate_email_otp))
        .routes(routes!(login::generate_email_otp_external))
        .routes(routes!(login::generate_phone_otp))
        .routes(routes!(login::login_email_otp))
        .routes(routes!(login::login_phone_otp))
        .routes(routes!(login::logout))
        .routes(routes!(forgetting::forget_me))
        .routes(routes!(
            message_choice::message_settings,
            message_choice::choose_messages
        ))
        .routes(routes!(unsubscribe::ask_unsubscribe, unsubscribe::unsubscribe))
        .routes(routes!(proof_of_work::challenge))
        .routes(routes!(leads::submit_lead))
        .routes(routes!(leads::request_virtual_tour))
        .routes(routes!(leads::get_lead, leads::change_lead))
        .routes(routes!(booking_forms::start_form))
        .routes(routes!(booking_forms::get_form))
        .routes(routes!(
            booking_forms::save_section,
            booking_forms::merge::merge_section
        ))
        .routes(routes!(booking_forms::live::stream_form))
        .routes(routes!(booking_forms::submit_form))
        .routes(routes!(earlier_answers::earlier_answers))
        .routes(routes!(shortlists::add))
        .routes(routes!(shortlists::remove))
        .routes(routes!(histories::user_history))
        .routes(routes!(activity::activity))
        .routes(routes!(outbox_pages::outbox))
        .routes(routes!(dev_clock::put_forward))
        .merge(documents())
        .routes(routes!(site::page_payload))
        .merge(payments())
        .merge(finance())
        .merge(desk())
        .merge(conversations())
        .merge(administration())
}

/// What staff see and do beside payments.
fn desk() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(workspace::leads::me))
        .routes(routes!(workspace::leads::list_leads))
        .routes(routes!(
            workspace::lead_views::list_views,
            workspace::lead_views::save_view
        ))
        .routes(routes!(
            workspace::lead_views::change_view,
            workspace::lead_views::delete_view
        ))
        .routes(routes!(workspace::desk_live::stream_desk))
        .routes(routes!(workspace::desk_live::note_writing))
        .routes(routes!(workspace::desk_report::read_report))
        .routes(routes!(workspace::desk_report::export_report))
        .routes(routes!(workspace::segments::search_segment))
        .routes(routes!(workspace::segments::read_story))
        .routes(routes!(workspace::history::timeline))
        .routes(routes!(workspace::history::events))
        .routes(routes!(workspace::history::stream))
        .routes(routes!(workspace::event::raw_event))
        .routes(routes!(workspace::why::why))
        .routes(routes!(workspace::read_models::read_models))
        .routes(routes!(workspace::read_models::retry))
        .routes(routes!(workspace::read_models::rebuild))
        .routes(routes!(workspace::read_models::rollback))
        .routes(routes!(workspace::grants::list_grants))
        .routes(routes!(workspace::grants::revoke_grant))
        .routes(routes!(workspace::acts::reveal))
        .routes(routes!(workspace::letters::read_letter))
        .routes(routes!(workspace::forms::read_form))
        .routes(routes!(workspace::forms::make_document_link))
        .routes(routes!(workspace::desk::read_desk))
        .routes(routes!(workspace::desk_acts::act_on_lead))
        .routes(routes!(workspace::what_if::try_what_if))
        .routes(routes!(workspace::what_if::apply::apply_what_if))
        .routes(routes!(workspace::finance::requested::list_requests))
        .routes(routes!(workspace::finance::requested::decline_request))
        .routes(routes!(workspace::acts::assign))
        .routes(routes!(workspace::acts::add_note))
        .routes(routes!(workspace::referrals::review_referral))
        .routes(routes!(workspace::forgetting::forget_person))
}

/// Who looked at what, settings, health and second factors.
fn administration() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(workspace::export::export_history))
        .routes(routes!(workspace::reads::list_reads))
        .routes(routes!(workspace::settings::list_settings))
        .routes(routes!(workspace::settings::change_setting))
        .routes(routes!(workspace::system_health::read_health))
        .routes(routes!(workspace::second_factors::reset_second_factor))
        .routes(routes!(data_reads::own_data_reads))
        .merge(mirrors())
        .routes(routes!(
            second_factor::second_factor,
            second_factor::offer_second_factor
        ))
        .routes(routes!(second_factor::confirm_second_factor))
        .routes(routes!(second_factor::pass_second_factor))
}

/// What a student shows support of their steps.
fn mirrors() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(mirror::own_mirrors, mirror::offer_mirror))
        .routes(routes!(mirror::tell_mirror))
        .routes(routes!(mirror::end_own_mirror))
        .routes(routes!(mirror::own_mirror_stream))
        .routes(routes!(workspace::mirror::begin_mirror))
        .routes(routes!(workspace::mirror::watch_mirror))
        .routes(routes!(workspace::mirror::nudge_person))
        .routes(routes!(workspace::mirror::end_mirror))
}

/// What students and support write to each other.
fn conversations() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(cases::own_cases, cases::open_case))
        .routes(routes!(cases::own_case))
        .routes(routes!(cases::answer_case))
        .routes(routes!(cases::linked_case))
        .routes(routes!(cases::answer_by_link))
        .routes(routes!(workspace::templates::message_templates))
        .routes(routes!(
            workspace::cases::list_cases,
            workspace::cases::write_first
        ))
        .routes(routes!(workspace::cases::read_case))
        .routes(routes!(workspace::cases::write_case))
        .routes(routes!(workspace::case_acts::act_on_case))
}

/// The only routes with a larger body.
fn documents() -> OpenApiRouter<App> {
    let comparing = OpenApiRouter::new().routes(routes!(statement::compare_file));
    let sending = OpenApiRouter::new()
        .routes(routes!(documents::add_document))
        .routes(routes!(case_files::attach_to_case))
        .routes(routes!(workspace::case_files::attach_as_staff));
    OpenApiRouter::new()
        .merge(sending.layer(DefaultBodyLimit::max(documents::BYTES_MAX)))
        .merge(comparing.layer(DefaultBodyLimit::max(statement::BYTES_MAX)))
        .routes(routes!(case_files::own_attachment))
        .routes(routes!(workspace::case_files::case_attachment))
        .routes(routes!(documents::show_document, documents::remove_document))
        .routes(routes!(
            document_links::ask_document,
            document_links::open_document
        ))
}

fn payments() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(payments::open::open_payment))
        .routes(routes!(payments::read_payment))
        .routes(routes!(payments::begin_payment))
        .routes(routes!(payments::cancel_payment))
        .routes(routes!(payments::card::confirm_in_sandbox))
        .routes(routes!(payments::stream::stream_payment))
        .routes(routes!(ratings::rate_booking))
        .routes(routes!(receipts::read_receipt))
        .routes(routes!(receipts::receipt_pdf))
        .routes(routes!(receipts::receipt_proof))
        .routes(routes!(receipts::verify::verify_receipt))
        .routes(routes!(receipts::renewal::renew_link))
        .routes(routes!(payments::waitlist::read_place))
        .routes(routes!(payments::waitlist::take_place))
        .routes(routes!(payments::waitlist::leave_place))
        .routes(routes!(payments::waitlist::verify_place))
        .routes(routes!(webhooks::receive_notice))
        .routes(routes!(sandbox_pages::show))
        .routes(routes!(sandbox_pages::change_plan))
        .routes(routes!(sandbox_pages::repeat))
        .routes(routes!(sandbox_pages::dispute))
}

fn finance() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(workspace::finance::list_events))
        .routes(routes!(workspace::finance::export::export_events))
        .routes(routes!(workspace::finance::dossier::read_dossier))
        .routes(routes!(workspace::finance::evidence::read_evidence))
        .routes(routes!(workspace::finance::evidence::evidence_pdf))
        .routes(routes!(workspace::finance::evidence::send_evidence))
        .routes(routes!(workspace::finance::refunds::request_refund))
        .routes(routes!(workspace::finance::refunds::cancel_booking))
        .routes(routes!(workspace::finance::alerts::list_alerts))
        .routes(routes!(workspace::finance::spreadsheet::export_workbook))
        .routes(routes!(workspace::finance::reconciliation::show_reconciliation))
        .routes(routes!(workspace::finance::reconciliation::run_reconciliation))
        .routes(routes!(workspace::finance::reconciliation::propose))
        .routes(routes!(booking::pull::pull_events))
        .routes(routes!(workspace::finance::approvals::ask_for_refund))
        .routes(routes!(workspace::finance::approvals::list_approvals))
        .routes(routes!(workspace::finance::decisions::list_waiting))
        .routes(routes!(workspace::finance::approvals::approve))
        .routes(routes!(workspace::finance::approvals::decline))
        .routes(routes!(workspace::finance::books::list_accounts))
        .routes(routes!(workspace::finance::books::account_postings))
        .routes(routes!(workspace::finance::books::payment_postings))
        .routes(routes!(workspace::finance::books::period_report))
        .routes(routes!(workspace::finance::chain::chain_status))
        .routes(routes!(workspace::finance::chain::signed_head))
        .routes(routes!(workspace::finance::chain::consistency))
        .routes(routes!(workspace::finance::provider::show_account))
        .routes(routes!(workspace::finance::provider::read_account))
        .routes(routes!(workspace::finance::provider::export_account))
        .routes(routes!(workspace::finance::returned::list_failed_refunds))
        .routes(routes!(workspace::finance::returned::pay_elsewhere))
        .routes(routes!(workspace::finance::person_search::find_by_email))
        .routes(routes!(workspace::finance::rewards::list_rewards))
        .routes(routes!(workspace::finance::rewards::pay_reward))
        .routes(routes!(workspace::finance::unknown::list_unknown))
        .routes(routes!(workspace::finance::unknown::match_notice))
        .routes(routes!(workspace::finance::unknown::dismiss_notice))
        .routes(routes!(workspace::payment_links::list_links))
        .routes(routes!(workspace::waitlists::read_waitlists))
        .routes(routes!(workspace::waitlists::list_awaited))
        .routes(routes!(workspace::waitlists::move_up))
        .routes(routes!(workspace::payment_links::make_link))
        .routes(routes!(workspace::payment_links::withdraw_link))
}

/// The document of all routes, as it is served at `/api/openapi.json`.
pub fn document() -> Value {
    contract::complete(&routes().into_openapi())
}

/// The whole server.
pub fn router(app: App) -> Router {
    let (client_wait, is_secure) = (app.settings.client_wait(), app.settings.is_secure());
    let (api, _) = routes().split_for_parts();
    let document = std::sync::Arc::new(document());
    let lists = ListQueries::of(&document);
    let views = AsOf::new(api.clone(), app.clone());
    api.route(
        "/api/openapi.json",
        get(contract::serve).layer(axum::Extension(document)),
    )
    // D129: the specification writes these with a slash at the end.
    .route("/api/v0/leads/", axum::routing::post(leads::submit_lead))
    .route(
        "/api/v0/auth/users/inventories_shortlists/",
        axum::routing::post(shortlists::add),
    )
    .route(
        "/sandbox/3ds/{intent}",
        get(sandbox_pages::challenge_page).post(sandbox_pages::answer_challenge),
    )
    .route("/healthz", get(readiness::lives))
    .route("/readyz", get(readiness::readiness))
    .route("/pictures/{seed}/{file}", get(pictures::picture))
    .route("/assets/{*path}", get(site::asset))
    .route("/docs", get(site::api_reference))
    .fallback(site::page)
    .method_not_allowed_fallback(|| async {
        ApiError::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            say("refusal.method_not_allowed"),
        )
    })
    .layer(from_fn_with_state(views, as_of::answer))
    .layer(from_fn_with_state(lists, list_queries::refuse_unknown))
    .layer(from_fn_with_state(app.sessions.clone(), permissions::check))
    .layer(from_fn_with_state(
        app.settings.clone(),
        maintenance::refuse_writes,
    ))
    .layer(from_fn_with_state(app.settings.clone(), security::same_origin))
    .layer(from_fn(request::headers_are_readable))
    .layer(DefaultBodyLimit::max(BODY_MAX))
    .layer(RequestBodyTimeoutLayer::new(client_wait))
    .layer(from_fn_with_state(ANSWER_BUDGET, request::in_time))
    .layer(CatchPanicLayer::custom(|_panic| {
        ApiError::broken("a handler panicked").into_response()
    }))
    .layer(CompressionLayer::new())
    .layer(from_fn_with_state(
        client_wait.min(REST_WAIT),
        serving::unread::drained,
    ))
    .layer(from_fn(request::bounded_query))
    .layer(from_fn(security::one_host))
    .layer(from_fn_with_state(is_secure, security::headers))
    .layer(from_fn(request::identify))
    .with_state(app)
}

#[cfg(test)]
mod tests {
    use http_kit::permissions::{TABLE, access, shape};

    use super::document;

    #[test]
    fn every_route_has_exactly_one_line() {
        let document = document();
        for (path, operations) in document["paths"].as_object().unwrap() {
            for method in operations.as_object().unwrap().keys() {
                if matches!(method.as_str(), "get" | "post" | "put" | "delete" | "patch") {
                    let method = method.to_uppercase();
                    assert!(
                        access(&method, path).is_some(),
                        "{method} {path} has no line in permissions::TABLE"
                    );
                }
            }
        }
        for (index, (verb, path, _)) in TABLE.iter().enumerate() {
            let again = TABLE[index + 1..]
                .iter()
                .any(|(other, at, _)| other == verb && shape(at) == shape(path));
            assert!(!again, "{verb} {path} stands twice");
        }
    }

    #[test]
    fn every_line_has_a_route() {
        let document = document();
        let paths = document["paths"].as_object().unwrap();
        // What serves people's browsers, not programs, stands in no document.
        let plain = |path: &&str| {
            [
                "/healthz",
                "/readyz",
                "/pictures/",
                "/assets/",
                "/docs",
                "/sandbox/",
            ]
            .iter()
            .any(|start| path.starts_with(start))
        };
        for (verb, path, _) in TABLE.iter().filter(|(_, path, _)| !plain(path)) {
            let verb = verb.to_lowercase();
            let route = paths
                .iter()
                .find(|(route, item)| shape(route) == shape(path) && item[&verb].is_object());
            assert!(
                route.is_some(),
                "{verb} {path} stands in the table and leads nowhere"
            );
        }
    }
}
