//! A small aggregate with a rule that can be broken and a note that is personal.

use domain::aggregate::Decide;
use domain::id::{StreamKey, UserId};
use domain::sealed::{Sealable, Sealed};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

/// An account's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountId(pub Uuid);

impl StreamKey for AccountId {
    fn uuid(self) -> Uuid {
        self.0
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    pub balance: i64,
    pub entries: u64,
}

#[derive(Debug, Clone)]
pub enum AccountCommand {
    Deposit(i64),
    Withdraw(i64),
    /// Asks for nothing new.
    Look,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum AccountEvent {
    Deposited {
        amount: i64,
    },
    Withdrawn {
        amount: i64,
    },
    Noted {
        about: UserId,
        #[serde(skip)]
        note: Sealed<String>,
    },
}

domain::event_names!(AccountEvent {
    Deposited => "AccountDeposited" 2,
    Withdrawn => "AccountWithdrawn" 1,
    Noted => "AccountNoted" 1,
} upcasts {
    "AccountPaidIn" 1 => "AccountDeposited" 1: renamed,
    "AccountDeposited" 1 => "AccountDeposited" 2: with_an_amount,
});

/// Deposits were called otherwise once.
fn renamed(mut payload: Value) -> Value {
    json!({ "Deposited": payload["PaidIn"].take() })
}

/// Their amount was.
fn with_an_amount(mut payload: Value) -> Value {
    json!({ "Deposited": { "amount": payload["Deposited"]["sum"].take() } })
}

impl Sealable for AccountEvent {
    fn subject(&self) -> Option<UserId> {
        match self {
            Self::Noted { about, .. } => Some(*about),
            Self::Deposited { .. } | Self::Withdrawn { .. } => None,
        }
    }

    fn personal(&self) -> Option<Vec<u8>> {
        match self {
            Self::Noted { note, .. } => note.to_json(),
            Self::Deposited { .. } | Self::Withdrawn { .. } => None,
        }
    }

    fn reveal(&mut self, plain: Option<&[u8]>) {
        match self {
            Self::Noted { note, .. } => note.reveal(plain),
            Self::Deposited { .. } | Self::Withdrawn { .. } => {}
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("only {0} left")]
pub struct TooLittle(pub i64);

impl Decide for Account {
    const KIND: &'static str = "account";
    type Command = AccountCommand;
    type Event = AccountEvent;
    type Rejection = TooLittle;

    fn decide(&self, command: AccountCommand) -> Result<Vec<AccountEvent>, TooLittle> {
        match command {
            AccountCommand::Deposit(amount) => Ok(vec![AccountEvent::Deposited { amount }]),
            AccountCommand::Withdraw(amount) if amount > self.balance => Err(TooLittle(self.balance)),
            AccountCommand::Withdraw(amount) => Ok(vec![AccountEvent::Withdrawn { amount }]),
            AccountCommand::Look => Ok(Vec::new()),
        }
    }

    fn evolve(&mut self, event: &AccountEvent) {
        self.entries += 1;
        match event {
            AccountEvent::Deposited { amount } => self.balance += amount,
            AccountEvent::Withdrawn { amount } => self.balance -= amount,
            AccountEvent::Noted { .. } => {}
        }
    }
}
