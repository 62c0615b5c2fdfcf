//! What stands on a document's pages beside its facts, signed, so that a changed name or seller is found like a changed amount.

use domain::language::Language;
use eventlog::PublicKey;
use platform::days::HomeClock;
use serde::{Deserialize, Serialize};

use crate::proof::Unproved;

/// What the file of [`SignedPages`] begins with. It changes with the pages: another version's pages cannot be compared.
pub(crate) const PAGES: &str = "latchkey receipt pages 3";

/// The name of that file inside a PDF.
pub(crate) const FILE: &str = "receipt-pages.json";

/// What a signature of pages is good for.
pub const PURPOSE: &str = "receipt pages";

/// Bytes of one text of a receipt's page, and lines of the seller's address: pages of more are none that were made here.
const TEXT_MAX: usize = 1_000;
const ADDRESS_LINES_MAX: usize = 12;

/// What stands on a document's pages beside its facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    pub language: Language,
    pub seller: String,
    /// Lines of the seller's address; may be empty.
    pub seller_address: String,
    pub reference: String,
    pub home: String,
    pub room: String,
    /// The home's provider, where it is known.
    pub provider: Option<String>,
    /// `None` where the reader may not know, or the payer was forgotten.
    pub payer: Option<String>,
    /// Where the proof can be checked.
    pub verify_url: String,
    /// The home's clock, on which the days and times are told; unsaid in documents of before, which tell them in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<HomeClock>,
    /// Says that the document is no tax invoice; documents of before do not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub says_no_invoice: bool,
    /// Writes amounts with their symbol, as the site does; documents of before write the currency's code.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_symbols: bool,
}

/// Who sold, in whose language, and where the proof can be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seller<'s> {
    pub name: &'s str,
    pub address: &'s str,
    pub verify_url: String,
}

impl Shown {
    /// Whether it is as long as what stands on pages that are made here.
    fn fits_a_page(&self) -> bool {
        let texts = [
            &self.seller,
            &self.seller_address,
            &self.reference,
            &self.home,
            &self.room,
            &self.verify_url,
        ];
        let told = [&self.provider, &self.payer].into_iter().flatten();
        let clock = self.clock.iter().flat_map(|clock| [&clock.zone, &clock.city]);
        texts
            .into_iter()
            .chain(told)
            .chain(clock)
            .all(|text| text.len() <= TEXT_MAX)
            && self.seller_address.lines().count() <= ADDRESS_LINES_MAX
    }

    /// What stands on the pages, with the names of home and payer still to be filled in.
    pub fn new(language: Language, seller: &Seller<'_>, reference: String) -> Self {
        Self {
            language,
            seller: seller.name.to_owned(),
            seller_address: seller.address.to_owned(),
            reference,
            home: String::new(),
            room: String::new(),
            provider: None,
            payer: None,
            verify_url: seller.verify_url.clone(),
            clock: None,
            says_no_invoice: true,
            has_symbols: true,
        }
    }
}

/// What is shown on the pages of one document, with the signature of the key that signs the log's heads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedPages {
    format: String,
    number: String,
    pub(crate) shown: Shown,
    /// As 128 digits.
    signature: String,
}

impl SignedPages {
    /// Signs what is shown on the pages of the document of this number; `sign` signs a text for [`PURPOSE`].
    ///
    /// # Errors
    /// When it cannot be written down or signed.
    pub fn sign(
        number: &str,
        shown: &Shown,
        sign: impl FnOnce(&str, &[u8]) -> Result<[u8; 64], String>,
    ) -> Result<Self, String> {
        let text = text(number, shown).map_err(|error| error.to_string())?;
        Ok(Self {
            format: PAGES.to_owned(),
            number: number.to_owned(),
            shown: shown.clone(),
            signature: hex::encode(sign(PURPOSE, &text)?),
        })
    }

    /// Whether one of these keys has signed it, for the document of this number.
    pub(crate) fn check(&self, number: &str, keys: &[PublicKey]) -> Result<(), Unproved> {
        if !self.shown.fits_a_page() || self.number != number {
            return Err(Unproved::Pages);
        }
        let digits = hex::decode(&self.signature).map_err(|_| Unproved::Names)?;
        let signature: [u8; 64] = digits.try_into().map_err(|_| Unproved::Names)?;
        let text = text(number, &self.shown).map_err(|_| Unproved::Names)?;
        let is_signed = keys
            .iter()
            .any(|key| key.has_signed_text(PURPOSE, &text, &signature));
        if is_signed { Ok(()) } else { Err(Unproved::Names) }
    }
}

/// What is signed: the number binds the names to one document.
fn text(number: &str, shown: &Shown) -> Result<Vec<u8>, serde_json::Error> {
    serde_json::to_vec(&(number, shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The file of a paper of before is written again as it was, so that its pages can still be compared.
    #[test]
    fn papers_of_before_keep_their_form() {
        let seller = Seller {
            name: "Rooms",
            address: "",
            verify_url: String::new(),
        };
        let mut shown = Shown::new(Language::En, &seller, "P-1".to_owned());
        assert!(shown.says_no_invoice && shown.has_symbols);
        (shown.says_no_invoice, shown.has_symbols) = (false, false);
        let written = serde_json::to_string(&shown).unwrap();
        assert!(
            !written.contains("invoice") && !written.contains("symbols"),
            "{written}"
        );
        assert_eq!(serde_json::from_str::<Shown>(&written).unwrap(), shown);
    }
}
