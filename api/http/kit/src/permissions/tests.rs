//! Deny by default. Who may call which route is held by `tests/it/permissions.rs`, which asks the running server.

use super::*;

const PEOPLE: [(bool, &[Role]); 5] = [
    (false, &[]),
    (true, &[]),
    (true, &[Role::Support]),
    (true, &[Role::Finance]),
    (true, &[Role::Admin]),
];

fn registered() -> Permissions {
    let registration = |method: Method, path: &str, access| Registration {
        method,
        path: path.to_owned(),
        access,
    };
    [
        registration(Method::GET, "/api/v0/leads/{id}", Access::Open),
        registration(Method::PUT, "/api/v0/leads/{id}", Access::LoggedIn),
    ]
    .into_iter()
    .collect()
}

fn admitted(access: Access) -> [bool; 5] {
    PEOPLE.map(|(is_in, roles)| access.allows(is_in, roles))
}

#[test]
fn unregistered_routes_are_denied() {
    let permissions = registered();
    assert_eq!(permissions.find_access(&Method::GET, "/api/v0/secrets"), None);
    let refused = permissions.refuse_unregistered(&Method::GET, "/api/v0/secrets");
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}

#[test]
fn another_method_of_a_path_is_not_allowed() {
    let permissions = registered();
    assert_eq!(
        permissions.find_access(&Method::PATCH, "/api/v0/leads/{id}"),
        None
    );
    let refused = permissions.refuse_unregistered(&Method::PATCH, "/api/v0/leads/{id}");
    assert_eq!(refused.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[test]
fn head_is_asked_as_get() {
    let permissions = registered();
    let found = permissions.find_access(&Method::HEAD, "/api/v0/leads/{id}");
    assert_eq!(found, Some(Access::Open));
}

#[test]
fn roles_of_staff_open_what_is_theirs() {
    assert_eq!(admitted(Access::Open), [true; 5]);
    assert_eq!(admitted(Access::Capability(Capability::PaymentToken)), [true; 5]);
    assert_eq!(admitted(Access::LoggedIn), [false, true, true, true, true]);
    assert_eq!(admitted(SUPPORT), [false, false, true, false, true]);
    assert_eq!(admitted(FINANCE), [false, false, false, true, true]);
    assert_eq!(admitted(ADMIN), [false, false, false, false, true]);
    assert_eq!(admitted(ANY_STAFF), [false, false, true, true, true]);
}

#[test]
fn providers_partners_keys_and_developers_are_refused() {
    let nobody_yet = [
        Access::Provider(ProviderRole::Owner),
        Access::Provider(ProviderRole::Editor),
        Access::Provider(ProviderRole::Viewer),
        Access::Partner,
        Access::Key(KeyScope::ReadHomes),
        Access::Key(KeyScope::WriteHomes),
        Access::Key(KeyScope::ReadLeads),
        Access::Developer,
    ];
    for access in nobody_yet {
        assert_eq!(admitted(access), [false; 5], "{access:?}");
    }
}
