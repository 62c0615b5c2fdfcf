//! Where a lead came from (Spec §3 source_details, D134, D135).

use serde::{Deserialize, Serialize};

/// Spec §5: referrer values are cut at 300 characters; we count code points (D134).
pub const REFERRER_LIMIT: usize = 300;
/// Campaign values are short words; anything longer is not one.
const VALUE_LIMIT: usize = 300;

/// Query parameters that never leave the visitor's browser history through us (D134).
const SECRETS: [&str; 14] = [
    "token",
    "user_auth_token",
    "user_flow_token",
    "otp",
    "code",
    "password",
    "email",
    "phone",
    "name",
    "fullname",
    "key",
    "session",
    "lead_uuid",
    "secret",
];

/// By what two acts of one enquiry are seen to come from one device: sixteen bits each of keyed hashes that are other ones for every
/// enquiry, so that neither an address nor a person is found by them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceMark {
    /// Of the network address; of an IPv6 address its network alone.
    pub network: u16,
    /// Of what the browser calls itself.
    pub browser: u16,
}

/// The tracked parameters and referrers of one visit, as sent with a lead.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceDetails {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub referrer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_referrer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub referring_domain: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_referring_domain: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utm_source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utm_medium: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utm_campaign: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utm_content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utm_term: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utm_group: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gclid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fbclid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub msclkid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keyword: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wbraid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gbraid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub referral_code: Option<String>,
}

impl SourceDetails {
    /// Cut, and without secrets: what may be stored.
    #[must_use]
    pub fn cleaned(mut self) -> Self {
        for address in [
            &mut self.final_url,
            &mut self.referrer,
            &mut self.initial_referrer,
        ] {
            *address = address
                .take()
                .and_then(|url| kept(&without_secrets(&url), REFERRER_LIMIT));
        }
        for value in self.values_mut() {
            *value = value.take().and_then(|text| kept(&text, VALUE_LIMIT));
        }
        self
    }

    /// D135: `initial_*` stay what they were at the first touch; the rest follows the last one that says anything.
    #[must_use]
    pub fn after(mut self, earlier: &Self) -> Self {
        let older = earlier.clone();
        self.initial_referrer = older.initial_referrer.or(self.initial_referrer);
        self.initial_referring_domain = older.initial_referring_domain.or(self.initial_referring_domain);
        self
    }

    /// What the workspace shows in one word: campaign source, else the referring site.
    pub fn label(&self) -> Option<&str> {
        self.utm_source
            .as_deref()
            .or(self.referring_domain.as_deref())
            .or(self.initial_referring_domain.as_deref())
    }

    fn values_mut(&mut self) -> [&mut Option<String>; 15] {
        [
            &mut self.referring_domain,
            &mut self.initial_referring_domain,
            &mut self.utm_source,
            &mut self.utm_medium,
            &mut self.utm_campaign,
            &mut self.utm_content,
            &mut self.utm_term,
            &mut self.utm_group,
            &mut self.gclid,
            &mut self.fbclid,
            &mut self.msclkid,
            &mut self.keyword,
            &mut self.wbraid,
            &mut self.gbraid,
            &mut self.referral_code,
        ]
    }
}

fn kept(text: &str, limit: usize) -> Option<String> {
    let cut: String = text
        .trim()
        .chars()
        .filter(|c| !c.is_control())
        .take(limit)
        .collect();
    (!cut.is_empty()).then_some(cut)
}

/// Drops secret query parameters, user info and the fragment; leaves the rest of the address as it was.
fn without_secrets(url: &str) -> String {
    let address = url.split('#').next().unwrap_or_default();
    let Some((path, query)) = address.split_once('?') else {
        return without_user(address);
    };
    let open: Vec<&str> = query.split('&').filter(|pair| !is_secret(pair)).collect();
    let path = without_user(path);
    if open.is_empty() {
        path
    } else {
        format!("{path}?{}", open.join("&"))
    }
}

fn is_secret(pair: &str) -> bool {
    let name = pair.split('=').next().unwrap_or_default().to_lowercase();
    // `phone[first]`, `fullName%5Blast%5D` and `user_email` are as personal as `phone`, `fullName` and `email`.
    let word = name.split(['[', '%']).next().unwrap_or_default();
    SECRETS.contains(&word) || word.contains("email") || word.contains("phone") || word.ends_with("token")
}

fn without_user(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else {
        return address.to_owned();
    };
    let host_end = rest.find('/').unwrap_or(rest.len());
    let (authority, path) = rest.split_at(host_end);
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(referrer: &str) -> Option<String> {
        SourceDetails {
            referrer: Some(referrer.to_owned()),
            ..SourceDetails::default()
        }
        .cleaned()
        .referrer
    }

    #[test]
    fn referrers_are_cut_at_300_code_points_not_bytes() {
        let long = format!("https://x.cn/{}", "房".repeat(400));
        assert_eq!(cleaned(&long).unwrap().chars().count(), 300);
    }

    #[test]
    fn secrets_in_a_query_are_not_stored() {
        assert_eq!(
            cleaned("https://mei:pw@a.com/x?utm_source=g&email=m@x.com&phone%5Bfirst%5D=1&user_auth_token=t&fullName[last]=L#frag").unwrap(),
            "https://a.com/x?utm_source=g"
        );
        assert_eq!(cleaned("https://a.com/x?token=1").unwrap(), "https://a.com/x");
    }

    #[test]
    fn the_first_touch_stays() {
        let first = SourceDetails {
            initial_referrer: Some("https://first".into()),
            utm_source: Some("a".into()),
            ..SourceDetails::default()
        };
        let later = SourceDetails {
            initial_referrer: Some("https://later".into()),
            utm_source: Some("b".into()),
            ..SourceDetails::default()
        };
        let merged = later.after(&first);
        assert_eq!(
            (merged.initial_referrer.as_deref(), merged.utm_source.as_deref()),
            (Some("https://first"), Some("b"))
        );
    }
}
