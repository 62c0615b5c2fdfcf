//! E-mail addresses: one canonical form for storing, comparing, counting and sending (D65, decision 0029).

use std::fmt;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use serde::{Deserialize, Serialize};

use super::{FaultCode, is_joiner, is_unseen, selects_variant};

/// Longest local part and longest address, in octets (RFC 5321).
const LOCAL_MAX: usize = 64;
const ADDRESS_MAX: usize = 254;

/// An address that mail can reach: the local part as its owner wrote it, the domain in its IDNA ASCII form. Addresses stored
/// before decision 0029 hold the domain as it was written.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Email(String);

/// A domain name in its IDNA ASCII form, lower case; `None` for what is no domain name.
pub fn domain_to_ascii(domain: &str) -> Option<String> {
    Uts46::new()
        .to_ascii(
            domain.as_bytes(),
            AsciiDenyList::STD3,
            Hyphens::CheckFirstLast,
            DnsLength::Verify,
        )
        .ok()
        .map(std::borrow::Cow::into_owned)
}

impl Email {
    /// D65: at most 254 characters, one `@` (also as full-width sign), no spaces, a dotted domain of any script, a local part
    /// that is not all digits, no format or direction characters.
    ///
    /// # Errors
    /// The fault tells an empty field from a wrong pattern, from a local part of digits, from characters that are not seen.
    pub fn parse(text: &str) -> Result<Self, FaultCode> {
        let plain = text.trim().replace(['＠', '﹫'], "@");
        if plain.is_empty() {
            return Err(FaultCode::Required);
        }
        if plain.len() > 4 * ADDRESS_MAX {
            return Err(FaultCode::TooLong);
        }
        let (local, domain) = plain.split_once('@').ok_or(FaultCode::EmailPattern)?;
        let joins = |c: char| is_joiner(c) || selects_variant(c);
        // Some scripts need joiners in a domain, where IDNA checks them.
        if plain.chars().any(is_unseen) || local.chars().any(joins) {
            return Err(FaultCode::EmailUnseen);
        }
        let odd = |c: char| c.is_whitespace() || c.is_control() || "@<>()[]\\,;:\"".contains(c);
        let local_fits = !local.is_empty()
            && local.len() <= LOCAL_MAX
            && !local.starts_with('.')
            && !local.ends_with('.')
            && !local.contains("..")
            && !local.chars().any(odd);
        let domain = domain_to_ascii(domain).unwrap_or_default();
        if local.len() + domain.len() + 1 > ADDRESS_MAX {
            return Err(FaultCode::TooLong);
        }
        let top = domain.rsplit_once('.').map_or("", |(_, top)| top);
        if !local_fits || top.len() < 2 || top.chars().all(|c| c.is_ascii_digit()) {
            return Err(if plain.len() > ADDRESS_MAX {
                FaultCode::TooLong
            } else {
                FaultCode::EmailPattern
            });
        }
        if local.chars().all(|c| c.is_ascii_digit()) {
            return Err(FaultCode::EmailLocalDigits);
        }
        Ok(Self(format!("{local}@{domain}")))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What look-ups compare: the local part in ASCII lower case, the domain in its IDNA ASCII form.
    pub fn canonical(&self) -> String {
        let (local, domain) = self.0.rsplit_once('@').unwrap_or((&self.0, ""));
        // A domain stored before that IDNA does not know is compared as it was then.
        let domain = domain_to_ascii(domain).unwrap_or_else(|| domain.to_lowercase());
        format!("{}@{domain}", local.to_ascii_lowercase())
    }

    /// Under which names the program found this address before it had one canonical form: with the domain in its own script.
    /// Only names that stand for this address and no other.
    pub fn former_forms(&self) -> Vec<String> {
        let canonical = self.canonical();
        let (local, domain) = canonical.rsplit_once('@').unwrap_or((&canonical, ""));
        let (own_script, _faults) = idna::domain_to_unicode(domain);
        let forms = [
            self.0.to_lowercase(),
            format!("{local}@{own_script}").to_lowercase(),
        ];
        let mut forms: Vec<String> = forms
            .into_iter()
            .filter(|form| *form != canonical && Self(form.clone()).canonical() == canonical)
            .collect();
        forms.dedup();
        forms
    }

    /// The inbox that limits and referrals count by: without what stands after a plus sign, and without dots where the
    /// provider ignores them.
    pub fn inbox(&self) -> String {
        let canonical = self.canonical();
        let (local, domain) = canonical.rsplit_once('@').unwrap_or((&canonical, ""));
        let name = local.split('+').next().filter(|name| !name.is_empty());
        let name = name.unwrap_or(local);
        if matches!(domain, "gmail.com" | "googlemail.com") {
            format!("{}@gmail.com", name.replace('.', ""))
        } else {
            format!("{name}@{domain}")
        }
    }

    /// The part after `@` in its IDNA ASCII form.
    pub fn domain(&self) -> String {
        let canonical = self.canonical();
        canonical.rsplit('@').next().unwrap_or_default().to_owned()
    }

    /// `m•••@•••.com`: enough to recognise, not enough to write to.
    pub fn masked(&self) -> String {
        let first = self.0.chars().next().unwrap_or('•');
        let top = self.0.rsplit('.').next().unwrap_or_default();
        let (top, _faults) = idna::domain_to_unicode(top);
        format!("{first}•••@•••.{top}")
    }
}

impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_stored_with_the_domain_in_ascii() {
        for (address, stored) in [
            ("mei@leeds.ac.uk", "mei@leeds.ac.uk"),
            (" Mei.Lin+1@Example.com ", "Mei.Lin+1@example.com"),
            ("o'hara@example.ie", "o'hara@example.ie"),
            ("学生@例子.中国", "学生@xn--fsqu00a.xn--fiqs8s"),
            ("mei＠ｕｎｉ．example", "mei@uni.example"),
            ("mei@uni。example", "mei@uni.example"),
            ("mei@उदाहरण.भारत", "mei@xn--p1b6ci4b4b3a.xn--h2brj9c"),
            ("mei@ตัวอย่าง.ไทย", "mei@xn--72c1a1bt4awk9o.xn--o3cw4h"),
            ("1a@example.com", "1a@example.com"),
        ] {
            assert_eq!(
                Email::parse(address).as_ref().map(Email::as_str),
                Ok(stored),
                "{address}"
            );
        }
    }

    #[test]
    fn local_parts_are_compared_by_ascii_case_alone() {
        let canonical = |address: &str| Email::parse(address).unwrap().canonical();
        assert_eq!(canonical("Mike@UNI.example"), canonical("mike@uni.example"));
        assert_ne!(
            canonical("mi\u{212A}e@uni.example"),
            canonical("mike@uni.example")
        );
        let kelvin = Email::parse("mi\u{212A}e@uni.example").unwrap();
        assert_eq!(kelvin.former_forms(), Vec::<String>::new());
        assert_eq!(
            Email::parse("Mei@例子.中国").unwrap().former_forms(),
            ["mei@例子.中国"]
        );
    }

    #[test]
    fn addresses_with_unseen_characters_are_refused_as_such() {
        for address in [
            "me\u{202E}i@uni.example",
            "mei\u{200D}@uni.example",
            "mei\u{1D173}@uni.example",
            "mei\u{890}@uni.example",
            "mei\u{3164}@uni.example",
            "\u{FFA0}mei@uni.example",
            "mei\u{FE0F}@uni.example",
            "mei@u\u{AD}ni.example",
        ] {
            assert_eq!(Email::parse(address), Err(FaultCode::EmailUnseen), "{address:?}");
        }
    }

    #[test]
    fn spellings_of_one_inbox_have_one_name() {
        let inbox = |address: &str| Email::parse(address).unwrap().inbox();
        for address in ["M.e.i+a@gmail.com", "mei@googlemail.com", "mei@GMAIL.com"] {
            assert_eq!(inbox(address), "mei@gmail.com");
        }
        assert_eq!(inbox("mei.lin+1@uni.example"), "mei.lin@uni.example");
    }

    #[test]
    fn unreachable_addresses_are_refused_with_a_reason() {
        for address in [
            "mei",
            "mei@leeds",
            "a@b@c.com",
            "a b@c.com",
            "@c.com",
            "a@.com",
            "a@c..com",
            "a@c.com.",
            "a.@c.com",
            "a@-c.com",
            "\"x@company.com\"@evil.io",
            "a@1.2.3.4",
            "a@c.c",
        ] {
            assert_eq!(Email::parse(address), Err(FaultCode::EmailPattern), "{address}");
        }
        assert_eq!(Email::parse("12345@uni.ac.uk"), Err(FaultCode::EmailLocalDigits));
        assert_eq!(Email::parse("  "), Err(FaultCode::Required));
        assert_eq!(
            Email::parse(&format!("{}@example.com", "a".repeat(250))),
            Err(FaultCode::TooLong)
        );
    }
}
