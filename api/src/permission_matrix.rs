//! Who may call what, as a page: roles, endpoints and fields, from the table of permissions and the document of all routes
//! (docs/reference/permissions.md). A cell says what the server does; `tests/it/permissions.rs` calls every one of them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use axum::http::Method;
use domain::user::Role;
use http_kit::endpoints::Registration;
use http_kit::permissions::Access;
use serde_json::Value;

use crate::router::{document, registrations};

/// Every kind of caller, in the order of the columns.
const CALLERS: [(&str, bool, &[Role]); 5] = [
    ("visitor", false, &[]),
    ("student", true, &[]),
    ("support", true, &[Role::Support]),
    ("finance", true, &[Role::Finance]),
    ("admin", true, &[Role::Admin]),
];

/// Fields of an answer that tell of a person.
const PERSONAL: [&str; 15] = [
    "name",
    "email",
    "phone",
    "counsellor_name",
    "counsellor_email",
    "user_details",
    "recipient",
    "body",
    "answers",
    "date_of_birth",
    "first_name",
    "last_name",
    "payer",
    "university",
    "user_query",
];
/// Shapes that name a person though they stand in an answer under other words; everything else called `name` names a thing.
const SHAPES_OF_PEOPLE: [&str; 12] = [
    "User",
    "Revealed",
    "Letter",
    "LeadForm",
    "Lead",
    "ActivityLead",
    "DataReader",
    "RoleGrant",
    "WorkspaceMe",
    "Receipt",
    "Case",
    "BookingForm",
];

/// The page.
fn page() -> String {
    let mut text = String::from(
        "# Permissions\n\n\
         Made from what each resource registers (`endpoints` in its file) and the OpenAPI document: `make contract` writes it, and a test fails while\n\
         it is not current. A dot means that the caller is let in; what they then see is their own, or what the capability named beside the call opens\n\
         ([capabilities.md](../capabilities.md)). Staff are let in after the second step of their login, where it is required. Fields whose names end in\n\
         `_masked` show a person to staff without telling who it is; fields that tell it are listed as open.\n\n",
    );
    let names: Vec<&str> = CALLERS.iter().map(|(name, _, _)| *name).collect();
    let _ = writeln!(text, "| call | {} | masked | open |", names.join(" | "));
    let _ = writeln!(text, "|---|{}---|---|", "---|".repeat(CALLERS.len()));
    let mut all = registrations();
    all.sort_by(|one, other| (&one.path, one.method.as_str()).cmp(&(&other.path, other.method.as_str())));
    for Registration { method, path, access } in &all {
        let cells: Vec<&str> = CALLERS
            .iter()
            .map(|(_, is_in, roles)| if access.allows(*is_in, roles) { "•" } else { "" })
            .collect();
        let note = match access {
            Access::Capability(capability) => format!(" ({})", capability.name()),
            Access::Developer => " (developers' tools)".to_owned(),
            _ => String::new(),
        };
        let (masked, open) = fields_of(document(), method, path);
        let _ = writeln!(
            text,
            "| `{method} {path}`{note} | {} | {masked} | {open} |",
            cells.join(" | ")
        );
    }
    text
}

/// The masked fields of an answer, and those that name a person.
fn fields_of(document: &Value, method: &Method, path: &str) -> (String, String) {
    let (mut masked, mut open) = (BTreeSet::new(), BTreeSet::new());
    let operation = &document["paths"][path][method.as_str().to_lowercase()];
    let responses = operation["responses"].as_object();
    let good = responses
        .into_iter()
        .flatten()
        .filter(|(status, _)| status.starts_with('2'));
    for (_, answer) in good {
        let mut seen = BTreeSet::new();
        let schema = &answer["content"]["application/json"]["schema"];
        gather(document, schema, "", &mut seen, &mut (&mut masked, &mut open));
    }
    let listed = |names: BTreeSet<String>| names.into_iter().collect::<Vec<_>>().join(", ");
    (listed(masked), listed(open))
}

type Found<'f> = (&'f mut BTreeSet<String>, &'f mut BTreeSet<String>);

fn gather(
    document: &Value,
    schema: &Value,
    within: &str,
    seen: &mut BTreeSet<String>,
    found: &mut Found<'_>,
) {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        if seen.insert(name.to_owned()) {
            gather(
                document,
                &document["components"]["schemas"][name],
                name,
                seen,
                found,
            );
        }
        return;
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let of_person = SHAPES_OF_PEOPLE.contains(&within);
        if name.ends_with("_masked") {
            found.0.insert(name.clone());
        } else if of_person && PERSONAL.contains(&name.as_str()) {
            found.1.insert(format!("{within}.{name}"));
        }
        gather(document, property, within, seen, found);
    }
    for branch in ["oneOf", "allOf", "anyOf"] {
        for one in schema[branch].as_array().into_iter().flatten() {
            gather(document, one, within, seen, found);
        }
    }
    for below in ["items", "additionalProperties"] {
        if schema[below].is_object() {
            gather(document, &schema[below], within, seen, found);
        }
    }
}

#[test]
fn page_of_permissions_is_current() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference/permissions.md");
    let page = page();
    if std::env::var_os("LATCHKEY_WRITE_CONTRACT").is_some() {
        std::fs::write(&file, &page).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == page,
        "run `make contract` and commit docs/reference/permissions.md"
    );
}

/// No answer for a student or a visitor shows what is masked for staff, and each masked field stands on the page.
#[test]
fn masked_fields_are_for_staff_alone() {
    for Registration { method, path, access } in &registrations() {
        let (masked, _) = fields_of(document(), method, path);
        let is_staff = matches!(access, Access::Staff(_));
        assert!(masked.is_empty() || is_staff, "{method} {path}: {masked}");
    }
}
