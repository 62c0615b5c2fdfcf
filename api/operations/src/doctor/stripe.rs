//! What the doctor says of the Stripe account: its keys, its mode, and whether its notices come here.

use gateway_stripe::standing::{self, Account, Endpoint, Unseen};
use platform::config::Settings;
use platform::config::stripe::{Mode, StripeAccount};

use super::finding::Finding;

const WHAT: &str = "stripe";

/// Asks Stripe for the account of the settings.
pub(super) async fn of_account(settings: &Settings) -> Vec<Finding> {
    let account = match StripeAccount::of_settings(settings) {
        Ok(Some(account)) => account,
        Ok(None) => return vec![of_no_account(settings)],
        Err(problem) => return vec![Finding::wrong(WHAT, problem)],
    };
    let standing = match standing::look(&account).await {
        Ok(standing) => standing,
        Err(problem) => return vec![Finding::wrong(WHAT, problem)],
    };
    let mut findings = vec![match standing.account {
        Ok(found) => of_money(&found, account.mode),
        Err(why) => of_unseen("the account", &why),
    }];
    let url = format!("{}/api/webhooks/stripe", settings.public_url());
    match standing.endpoints {
        Ok(endpoints) => findings.push(of_endpoints(&endpoints, &url)),
        Err(why @ Unseen::NotPermitted(_)) => findings.push(of_unseen("where notices go", &why)),
        // Said of the account already.
        Err(Unseen::Away | Unseen::KeyRefused(_)) => return findings,
    }
    if let Ok(undelivered @ 1..) = standing.undelivered {
        let more = if undelivered == standing::UNDELIVERED_MAX {
            " or more"
        } else {
            ""
        };
        findings.push(Finding::look(
            WHAT,
            format!(
                "{undelivered}{more} events of the last day could not be delivered: is {url} reachable, and its secret among \
                 `stripe_webhook_secret`? `latchkey stripe sync` takes them in"
            ),
        ));
    }
    findings
}

/// A restricted key that takes payments need not see the account: no reason to stop.
fn of_unseen(what: &str, why: &Unseen) -> Finding {
    match why {
        Unseen::Away => Finding::wrong(WHAT, "it does not answer: look at the way to api.stripe.com"),
        Unseen::KeyRefused(said) => Finding::wrong(
            WHAT,
            format!("it does not accept `stripe_secret_key`: copy the key again from the dashboard ({said})"),
        ),
        Unseen::NotPermitted(said) => Finding::look(
            WHAT,
            format!("{what} is not shown to this restricted key ({said})"),
        ),
    }
}

fn of_no_account(settings: &Settings) -> Finding {
    if settings.dev_tools() {
        Finding::fine(WHAT, "the sandbox takes payments: no money moves")
    } else {
        Finding::look(
            WHAT,
            "the sandbox takes payments, and no money moves: set `stripe_secret_key`, `stripe_publishable_key` and \
             `stripe_webhook_secret`",
        )
    }
}

fn of_money(account: &Account, mode: Mode) -> Finding {
    let currency = account
        .default_currency
        .as_deref()
        .unwrap_or("an unknown currency");
    let said = format!(
        "{} mode, account {}, which pays out in {}",
        mode.name(),
        account.id,
        currency.to_uppercase()
    );
    match (mode, account.charges_enabled, account.payouts_enabled) {
        (Mode::Live, false, _) => Finding::wrong(
            WHAT,
            format!("{said}: it may not take money yet; finish its details in the dashboard"),
        ),
        (Mode::Live, true, false) => Finding::look(
            WHAT,
            format!("{said}: it takes money and may not pay it out yet; look at the dashboard"),
        ),
        (Mode::Test, ..) => Finding::fine(WHAT, format!("{said}; no money moves")),
        (Mode::Live, true, true) => Finding::fine(WHAT, said),
    }
}

fn of_endpoints(endpoints: &[Endpoint], url: &str) -> Finding {
    let ours: Vec<&Endpoint> = endpoints.iter().filter(|endpoint| endpoint.url == url).collect();
    let Some(endpoint) = ours
        .iter()
        .find(|endpoint| endpoint.status == "enabled")
        .or(ours.first())
    else {
        let said = format!(
            "no webhook endpoint sends to {url}: add it in the dashboard and set its secret as `stripe_webhook_secret`; until then \
             events are fetched every five minutes"
        );
        return Finding::look(WHAT, said);
    };
    let missing = endpoint.missing();
    if endpoint.status != "enabled" {
        Finding::wrong(
            WHAT,
            format!("the webhook endpoint {url} is switched off in the dashboard"),
        )
    } else if missing.is_empty() {
        Finding::fine(WHAT, format!("notices are sent to {url}"))
    } else {
        let said = format!(
            "the webhook endpoint {url} does not send {}: add them",
            missing.join(", ")
        );
        Finding::look(WHAT, said)
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::State;
    use super::*;

    #[test]
    fn live_account_that_may_not_charge_is_wrong() {
        let account = |charges_enabled| Account {
            charges_enabled,
            payouts_enabled: true,
            ..Account::default()
        };
        for (charges, mode, state) in [
            (true, Mode::Live, State::Fine),
            (false, Mode::Live, State::Wrong),
            (false, Mode::Test, State::Fine),
        ] {
            assert_eq!(of_money(&account(charges), mode).state, state);
        }
    }

    #[test]
    fn refused_key_is_told_from_silence_and_from_restriction() {
        let said = |why: Unseen| of_unseen("the account", &why);
        assert_eq!(said(Unseen::Away).state, State::Wrong);
        let refused = said(Unseen::KeyRefused("Invalid API Key provided".to_owned()));
        assert_eq!(refused.state, State::Wrong);
        assert!(refused.said.contains("`stripe_secret_key`"), "{}", refused.said);
        assert_eq!(
            said(Unseen::NotPermitted("rak_account_read".to_owned())).state,
            State::Look
        );
    }

    #[test]
    fn webhook_endpoint_is_looked_for_by_its_address() {
        let endpoint = |status: &str, events: &[&str]| Endpoint {
            url: "https://rooms.example/api/webhooks/stripe".to_owned(),
            status: status.to_owned(),
            enabled_events: events.iter().map(|event| (*event).to_owned()).collect(),
        };
        let state = |endpoints: &[Endpoint]| {
            of_endpoints(endpoints, "https://rooms.example/api/webhooks/stripe").state
        };
        assert_eq!(state(&[]), State::Look);
        assert_eq!(state(&[endpoint("disabled", &["*"])]), State::Wrong);
        assert_eq!(state(&[endpoint("enabled", &["refund.created"])]), State::Look);
        let both = [endpoint("disabled", &["*"]), endpoint("enabled", &["*"])];
        assert_eq!(state(&both), State::Fine);
    }
}
