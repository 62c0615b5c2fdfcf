//! The table, held against who does which work.

use super::*;

/// Every role a caller can have, a visitor and a student among them.
const CALLERS: [(bool, &[Role]); 5] = [
    (false, &[]),
    (true, &[]),
    (true, &[Role::Support]),
    (true, &[Role::Finance]),
    (true, &[Role::Admin]),
];

/// Parts of the workspace that finance does not see.
const OF_SUPPORT: [&str; 6] = [
    "/leads",
    "/cases",
    "/segments",
    "/mirrors",
    "/message_templates",
    "/why",
];

/// Parts that finance alone sees.
const OF_FINANCE: [&str; 7] = [
    "/payments",
    "/chain",
    "/books",
    "/reconciliation",
    "/approvals",
    "/alerts",
    "/rewards",
];

#[test]
fn the_workspace_lets_in_exactly_whose_work_it_is() {
    for (verb, path, access) in TABLE.iter().filter(|(_, path, _)| path.contains("/workspace/")) {
        let admitted: Vec<bool> = CALLERS
            .iter()
            .map(|(is_in, roles)| allows(*access, *is_in, roles))
            .collect();
        let wanted = if path.ends_with("/forget") {
            [false, false, false, false, true]
        } else if path.contains("/leads/{id}/timeline") || path.ends_with("/leads/{id}/stream") {
            [false, false, true, true, true]
        } else if OF_SUPPORT.iter().any(|part| path.contains(part)) {
            [false, false, true, false, true]
        } else if OF_FINANCE.iter().any(|part| path.contains(part)) {
            [false, false, false, true, true]
        } else if [
            "/read_models/",
            "/grants",
            "/reads",
            "/settings",
            "/second_factors",
        ]
        .iter()
        .any(|part| path.contains(part))
        {
            [false, false, false, false, true]
        } else {
            [false, false, true, true, true]
        };
        assert_eq!(admitted, wanted, "{verb} {path}");
    }
}

#[test]
fn outside_the_workspace_roles_open_nothing_more() {
    for (verb, path, access) in TABLE.iter().filter(|(_, path, _)| !path.contains("/workspace/")) {
        let admitted: Vec<bool> = CALLERS
            .iter()
            .map(|(is_in, roles)| allows(*access, *is_in, roles))
            .collect();
        let wanted = match access {
            Access::Open => [true; 5],
            Access::LoggedIn => [false, true, true, true, true],
            Access::Developer => [false; 5],
            Access::Staff(_) => panic!("{verb} {path} is for staff and outside the workspace"),
        };
        assert_eq!(admitted, wanted, "{verb} {path}");
    }
}

#[test]
fn what_the_table_does_not_know_is_denied() {
    assert_eq!(access("PATCH", "/api/v0/leads/{id}"), None);
    assert_eq!(access("GET", "/api/v0/secrets"), None);
    assert_eq!(access("POST", "/api/v0/leads/"), Some(Access::Open));
}
