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
