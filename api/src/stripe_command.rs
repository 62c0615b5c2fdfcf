//! `latchkey stripe`: what an operator asks of the Stripe account.

use std::sync::Arc;

use booking::webhooks;
use clap::Subcommand;
use gateway_stripe::Stripe;
use platform::clock;
use platform::config::Settings;
use platform::config::stripe::StripeAccount;
use storage::shapes::open_readable;

#[derive(Debug, Subcommand)]
pub enum StripeCommand {
    /// Take in what Stripe's list of events holds since the last time, beside a server or without one.
    Sync,
}

/// Says what it came to.
///
/// # Errors
/// One sentence for the operator.
pub async fn run(settings: &Settings, command: &StripeCommand) -> Result<String, String> {
    let StripeCommand::Sync = command;
    let Some(account) = StripeAccount::of_settings(settings)? else {
        return Err(
            "the settings name no Stripe account: set `stripe_secret_key`, `stripe_publishable_key` and `stripe_webhook_secret`"
                .to_owned(),
        );
    };
    let log = open_readable(settings).await?;
    clock::begin(&log).await?;
    let node = clock::new_id().to_string();
    let stripe = Stripe::open(account, &settings.place(), &node).await?;
    let receiver = webhooks::receiver(log.clone(), Arc::new(stripe.clone()));
    let before = log.head().await.map_err(|error| error.to_string())?;
    let listed = stripe.sync(&receiver).await.map_err(|error| match error {
        gateway_stripe::events::SyncError::Gateway(_) => {
            format!("{error}: the next time begins at the same place; `latchkey doctor` looks at the account")
        }
        other => other.to_string(),
    })?;
    let after = log.head().await.map_err(|error| error.to_string())?;
    let is_new = after > before;
    Ok(format!(
        "{listed} events are in the list, {}",
        if is_new {
            "and what was missing is taken in"
        } else {
            "all of which are known"
        }
    ))
}
