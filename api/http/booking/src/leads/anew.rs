//! A new enquiry that staff make of another: for its student, where what the old one holds belongs to the account that a mistyped
//! address gave it to, or for another person. Both enquiries name each other.

use domain::aggregate::{Decide as _, fold};
use domain::id::{LeadId, UserId};
use domain::lead::{
    Acting, Deed, DeskAct, Lead, LeadCommand, LeadEvent, LeadPersonal, LeadRejection, Submission, reference,
};
use domain::user::Reach;
use eventlog::{Append, CommitError, Context, Loaded, Position, commit_together};
use http_kit::error::{ApiError, ApiResult};
use platform::clock;
use platform::config::Settings;
use processes::accounts::{self, standing_still};
use processes::lead_history::add;
use records::Records;
use uuid::Uuid;

use super::question;

/// The new enquiry.
pub(super) struct NewEnquiry<'e> {
    pub records: &'e Records,
    pub settings: &'e Settings,
    /// Who it is for.
    pub personal: LeadPersonal,
    /// The act that makes it; its id is the new enquiry's.
    pub acting: &'e Acting,
    /// The student is the same: their question and their price go with it.
    pub is_same_student: bool,
}

impl NewEnquiry<'_> {
    /// Makes it, once for each act, and says where the log then stood.
    ///
    /// # Errors
    /// 404 for an enquiry that was never sent.
    pub(super) async fn make(&self, old_id: LeadId, asked: &Context) -> ApiResult<Position> {
        let log = &self.records.log;
        let (stranger, subject) = (UserId(clock::new_id()), UserId(clock::new_id()));
        let appended = commit_together::<ApiError, _>(log, asked, |append| async move {
            let old = log.load::<Lead>(old_id).await?;
            if old.state.desk().acts.contains(&self.acting.act_id) {
                return Ok(append);
            }
            let reach = Reach::Email(self.personal.email.clone());
            let name = Some(self.personal.name.clone());
            let (append, person, expected) = accounts::meet(log, append, stranger, &reach, name)
                .await
                .map_err(|refused| refused.map(ApiError::from))?;
            let append = standing_still(append, person, expected);
            self.compose(append, (old_id, &old), (person, subject))
        })
        .await?;
        match appended.last {
            0 => Ok(log.head().await?),
            last => Ok(last),
        }
    }

    fn compose(
        &self,
        append: Append,
        (old_id, old): (LeadId, &Loaded<Lead>),
        (person, subject): (UserId, UserId),
    ) -> Result<Append, CommitError<ApiError>> {
        let refused = |rejection: LeadRejection| CommitError::Rejected(rejection.into());
        let new_id = LeadId(self.acting.act_id);
        let sent = old.state.submission.as_deref();
        let sent = sent.ok_or_else(|| refused(LeadRejection::Unknown))?;
        let at = append.context.at;
        let command = LeadCommand::Submit {
            submission: Box::new(self.submission(new_id, (sent, &old.state), (person, subject))),
            personal: self.personal.clone(),
            viewing: None,
            at,
        };
        let beginning = Loaded::<Lead>::beginning();
        let mut events = beginning.state.decide(command).map_err(refused)?;
        let made = fold::<Lead>(&events);
        let made_from = DeskAct::MadeFrom { lead_id: old_id };
        events.extend(self.link(&made, made_from).map_err(refused)?);
        let anew = DeskAct::EnquiredAnew { lead_id: new_id };
        let on_old = self.link(&old.state, anew).map_err(refused)?;
        let append = add(append, new_id, &beginning, &events)?;
        let append = add(append, old_id, old, &on_old)?;
        let asked = question::Asked {
            lead_id: new_id,
            person,
            sealed_by: subject,
            language: sent.language.unwrap_or_default(),
            home: None,
            words: self.personal.user_query.clone(),
            at,
        };
        question::open_conversation(append, &asked, self.settings)
    }

    /// What the old enquiry said, under a key of its own and nobody's yet.
    fn submission(
        &self,
        new_id: LeadId,
        (sent, old): (&Submission, &Lead),
        (person, subject): (UserId, UserId),
    ) -> Submission {
        let digest = self.records.log.handles().id("enquiry_anew", &new_id.to_string());
        Submission {
            lead_id: new_id,
            person_id: person,
            subject: Some(subject),
            reference: reference(new_id),
            wish: old.wish.clone(),
            referral_code: None,
            device: None,
            repeat_of: None,
            repeat_shown: false,
            verified: false,
            unclaimed: true,
            request_digest: digest.to_string(),
            idempotency_key_digest: None,
            quote: sent.quote.filter(|_| self.is_same_student),
            ..sent.clone()
        }
    }

    fn link(&self, lead: &Lead, act: DeskAct) -> Result<Vec<LeadEvent>, LeadRejection> {
        let acting = Acting {
            deed: Deed::Keep(act),
            ..self.acting.clone()
        };
        lead.decide(LeadCommand::Act(Box::new(acting)))
    }
}

/// The contact of the new enquiry. Of another person it says nothing that the student said.
pub(super) fn contact_anew(personal: LeadPersonal, is_same_student: bool) -> LeadPersonal {
    LeadPersonal {
        lead_uuid: Uuid::new_v4(),
        user_query: personal.user_query.filter(|_| is_same_student),
        idp_form_data: None,
        referrer_name: None,
        data_email: None,
        ..personal
    }
}
