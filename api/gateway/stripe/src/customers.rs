//! One customer at Stripe for each person, who is known there by an id of ours alone.

use std::collections::HashMap;

use domain::id::UserId;
use gateway::GatewayError;
use serde::Deserialize;
use stripe_core::customer::{CreateCustomer, DeleteCustomer, SearchCustomer};

use crate::Stripe;

#[derive(Deserialize)]
struct Customer {
    id: String,
}

#[derive(Deserialize)]
struct Found {
    #[serde(default)]
    data: Vec<Customer>,
}

impl Stripe {
    /// The person's customer: as kept here, else as Stripe finds it by our id, else made now. Made by two nodes at once it is one,
    /// because the key is the person's.
    pub(crate) async fn customer_of(&self, subject: UserId) -> Result<String, GatewayError> {
        match self.0.memory.customer(subject).await {
            Ok(Some(known)) => return Ok(known),
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "which customer a person is cannot be looked up here"),
        }
        let customer_id = match self.searched(subject).await? {
            Some(found) => found,
            None => self.made(subject).await?,
        };
        if let Err(error) = self.0.memory.name_customer(subject, &customer_id).await {
            tracing::warn!(%error, "which customer a person is cannot be kept");
        }
        Ok(customer_id)
    }

    /// Deletes the person's customer, and with it what Stripe keeps of their cards. One that Stripe does not know is gone already.
    pub(crate) async fn delete_customer(&self, subject: UserId) -> Result<(), GatewayError> {
        let unreadable = |error: sqlx::Error| {
            tracing::error!(%error, "which customer a person is cannot be looked up here");
            GatewayError::Unreachable
        };
        let known = self.0.memory.customer(subject).await.map_err(unreadable)?;
        let Some(customer_id) = (match known {
            Some(known) => Some(known),
            None => self.searched(subject).await?,
        }) else {
            return Ok(());
        };
        let key = format!("forget:{customer_id}");
        match self
            .0
            .calls
            .tell::<Customer>(&DeleteCustomer::new(customer_id), &key)
            .await
        {
            Ok(_) | Err(GatewayError::Refused(_)) => {}
            Err(error) => return Err(error),
        }
        self.0.memory.forget_customer(subject).await.map_err(unreadable)
    }

    async fn searched(&self, subject: UserId) -> Result<Option<String>, GatewayError> {
        let search = SearchCustomer::new(format!("metadata['subject']:'{}'", subject.0)).limit(1);
        match self.0.calls.ask::<Found>(&search).await {
            Ok(found) => Ok(found.data.into_iter().next().map(|customer| customer.id)),
            // Accounts of some countries cannot search.
            Err(GatewayError::Refused(why)) => {
                tracing::debug!(why, "customers cannot be searched in this account");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    async fn made(&self, subject: UserId) -> Result<String, GatewayError> {
        let create =
            CreateCustomer::new().metadata(HashMap::from([("subject".to_owned(), subject.0.to_string())]));
        let key = format!("customer:{}", subject.0);
        let made: Customer = self.0.calls.tell(&create, &key).await?;
        Ok(made.id)
    }
}
