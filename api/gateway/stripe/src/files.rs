//! Uploads a paper to Stripe. Its client sends no files, so this one call is made by hand, under a key of our own as every other.

use std::time::Duration;

use gateway::GatewayError;
use serde::Deserialize;

use crate::Stripe;

/// A paper may be larger than what other calls send.
const PATIENCE: Duration = Duration::from_secs(15);
/// Where Stripe itself takes files; an API elsewhere takes them at its own address.
const STRIPE_API: &str = "https://api.stripe.com";
const STRIPE_FILES: &str = "https://files.stripe.com";
/// Between the parts of a form; no paper holds it.
const BOUNDARY: &str = "latchkey-3f1c9a7e5b2d";

#[derive(Deserialize)]
struct Uploaded {
    id: String,
}

impl Stripe {
    /// Uploads evidence as a PDF; gives the file's id.
    pub(crate) async fn upload_evidence(
        &self,
        key: &str,
        name: &str,
        pdf: &[u8],
    ) -> Result<String, GatewayError> {
        let base = self.0.account.api_base.trim_end_matches('/');
        let base = if base == STRIPE_API { STRIPE_FILES } else { base };
        let sent = reqwest::Client::new()
            .post(format!("{base}/v1/files"))
            .timeout(PATIENCE)
            .bearer_auth(&self.0.account.secret_key.0)
            .header("idempotency-key", key)
            .header(
                "content-type",
                format!("multipart/form-data; boundary={BOUNDARY}"),
            )
            .body(form(name, pdf))
            .send()
            .await;
        let answer = sent.map_err(|_no_answer| GatewayError::Unreachable)?;
        let status = answer.status();
        if status.is_client_error() && ![401, 403, 409, 429].contains(&status.as_u16()) {
            return Err(GatewayError::Refused(format!(
                "the file was refused with {status}"
            )));
        }
        if !status.is_success() {
            return Err(GatewayError::Unreachable);
        }
        let uploaded: Uploaded = answer
            .json()
            .await
            .map_err(|_no_file| GatewayError::Unreachable)?;
        Ok(uploaded.id)
    }
}

fn form(name: &str, pdf: &[u8]) -> Vec<u8> {
    let head = format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"purpose\"\r\n\r\ndispute_evidence\r\n\
         --{BOUNDARY}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
         content-type: application/pdf\r\n\r\n"
    );
    [head.as_bytes(), pdf, format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat()
}
