use figment::Figment;
use figment::providers::Serialized;

use super::*;

#[test]
fn a_setting_that_cannot_work_stops_the_start() {
    let with = |change: fn(&mut Settings)| {
        let mut settings = Settings::default();
        change(&mut settings);
        settings.check().map(drop)
    };
    assert_eq!(with(|_| {}), Ok(()));
    assert!(
        with(|settings| settings.hold_seconds = 0)
            .unwrap_err()
            .contains("`hold_seconds`")
    );
    assert!(
        with(|settings| settings.brand_name = " ".to_owned())
            .unwrap_err()
            .contains("`brand_name`")
    );
    let spaced = |settings: &mut Settings| settings.public_url = Some("https://a b/<x>".to_owned());
    assert!(with(spaced).unwrap_err().contains("`public_url`"));
}

#[test]
fn wrong_value_or_name_of_a_setting_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("latchkey.toml");
    let said = |text: &str| {
        std::fs::write(&file, text).unwrap();
        Settings::load(&file).map(drop).unwrap_err()
    };
    assert!(
        said("dev_tools = 2")
            .contains("`dev_tools` is wrong: it is unsigned int `2`, and takes `true` or `false`")
    );
    assert!(said("hold_seconds = -1").contains("takes a whole number from 0"));
    assert!(said("variant = \"french\"").contains("`standard` or `china`"));
    assert!(said("colour = \"red\"").contains("no setting `colour`"));
    for listen in [
        "listen = \"8080\"",
        "listen = 8080",
        "metrics_listen = \"localhost\"",
    ] {
        let said = said(listen);
        assert!(
            said.contains("listen` is wrong") && said.contains("such as `127.0.0.1:8080`"),
            "{said}"
        );
    }
}

#[test]
fn dev_tools_stay_off_when_the_world_can_reach_the_server() {
    let open = Settings {
        listen: SocketAddr::from(([0, 0, 0, 0], 8080)),
        ..Settings::default()
    };
    assert!(!open.dev_tools());
    assert!(
        Settings {
            dev_tools: Some(true),
            ..open
        }
        .check()
        .is_err()
    );
}

#[test]
fn dev_tools_stay_off_behind_a_proxy() {
    let reached_as = |url: &str| Settings {
        public_url: Some(url.to_owned()),
        ..Settings::default()
    };
    assert!(!reached_as("https://homes.example").dev_tools());
    assert!(!reached_as("https://localhost.homes.example/").dev_tools());
    assert!(reached_as("http://127.0.0.1:8080").dev_tools());
    assert!(reached_as("http://localhost:8080/").dev_tools());
}

/// A log elsewhere than in KurrentDB is refused without its password.
#[test]
fn kurrentdb_address_of_another_machine_needs_a_password() {
    let at = |url: &str| Settings {
        event_log: Some(url.to_owned()),
        ..Settings::default()
    };
    assert!(
        at("esdb+discover://ops:secret@cluster.example:2113")
            .check()
            .is_ok()
    );
    let refused = at("postgres://ops:secret@db.example").check().unwrap_err();
    assert!(
        refused.contains("`event_log`") && !refused.contains("secret"),
        "{refused}"
    );
}

#[test]
fn a_wrong_setting_is_named() {
    let wrong = Settings {
        database: "mysql://x".to_owned(),
        ..Settings::default()
    };
    assert!(wrong.check().unwrap_err().contains("`database`"));
}

/// What stands in the environment is text until a setting takes it for something else.
#[test]
fn settings_that_look_like_numbers_are_texts() {
    type Text = fn(&Settings) -> &str;
    let read = |name: &str, value: &str| {
        let given =
            Figment::from(Serialized::defaults(Settings::default())).merge(Serialized::default(name, value));
        given.extract::<Settings>().map_err(Box::new)
    };
    let texts: [(&str, Text); 6] = [
        ("rating", |settings| &settings.rating),
        ("downloads", |settings| &settings.downloads),
        ("brand_name", |settings| &settings.brand_name),
        ("seller_name", |settings| &settings.seller_name),
        ("staff_email_domain", |settings| &settings.staff_email_domain),
        ("teams", |settings| &settings.teams),
    ];
    for (name, of) in texts {
        for written in ["4.80", "5000", "1989", "[Nest]", "true", "{a=1}", "1e3"] {
            assert_eq!(of(&read(name, written).unwrap()), written, "{name}");
        }
    }
    assert_eq!(read("hold_seconds", " 90 ").unwrap().hold_seconds, 90);
    assert_eq!(read("reply_hours", "8").unwrap().reply_hours, Some(8));
    assert_eq!(read("refund_limit", " 2 500 ").unwrap().refund_limit, 2_500);
    assert_eq!(
        read("referral_reward", "1.250,00").unwrap().referral_reward,
        1_250
    );
    for name in [
        "refund_limit",
        "refund_limit_admin",
        "refund_typed_above",
        "referral_reward",
    ] {
        let said = sentence::sentence(&read(name, "1.250").unwrap_err());
        assert!(said.contains(name) && said.contains("1250 or 1.25"), "{said}");
    }
    for wrong in ["-1", "soon", "70000", "1.5"] {
        let said = sentence::sentence(&read("answer_hours", wrong).unwrap_err());
        assert!(said.contains("takes a whole number from 0"), "{said}");
    }
}

/// Nothing that may hold a secret is repeated, whatever stands in its place.
#[test]
fn wrong_secret_is_never_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("latchkey.toml");
    for name in sentence::HIDDEN {
        for value in ["73", "7.3", "[73]", "true"] {
            std::fs::write(&file, format!("{name} = {value}\n")).unwrap();
            let said = Settings::load(&file).map(drop).unwrap_err();
            assert!(said.contains(&format!("`{name}`")), "{said}");
            assert!(!said.contains('7') && !said.contains("true"), "{said}");
        }
    }
}

/// Numbers and addresses have the bounds of the workspace.
#[test]
fn values_out_of_bounds_stop_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("latchkey.toml");
    let said = |line: &str| {
        std::fs::write(&file, line).unwrap();
        Settings::load(&file).map(drop)
    };
    for wrong in [
        "public_url = \"https://\"",
        "public_url = \"https://x.example/sub\"",
        "public_url = \"https://me@x.example\"",
        "support_email = \"nope\"",
        "desk_email = \"desk@\"",
        "finance_email = \"@\"",
        "staff_email_domain = \"@staff\"",
        "staff_email_domain = \"me@staff.example\"",
        "teams = \"a=nomail\"",
        "answer_hours = 0",
        "reply_hours = 721",
        "quote_days = 4000",
        "stuck_minutes = 0",
        "provider_fee_permille = 5000",
        "hold_seconds = 99999999",
        "client_wait_seconds = 0",
        "mail_from = \"rooms@mail.example\"",
        "second_factor_roles = \"owner\"",
        "refund_limit = 1000001",
    ] {
        let (name, _) = wrong.split_once(' ').unwrap();
        let refused = said(wrong).expect_err(wrong);
        assert!(refused.contains(&format!("`{name}`")), "{refused}");
    }
    for right in [
        "public_url = \"http://[::1]:8080/\"",
        "public_url = \"https://rooms.example\"",
        "staff_email_domain = \"\"",
        "staff_email_domain = \"xn--bcher-kva.example\"",
        "teams = \"payments=ada@staff.example ben@staff.example,moving in\"",
        "hold_seconds = 86400",
        "support_email = \"\"",
    ] {
        assert_eq!(said(right), Ok(()), "{right}");
    }
}
