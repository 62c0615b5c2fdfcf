//! Short statements signed with the key that signs the log's ends: what is handed out can be shown to be unchanged.

use ed25519_dalek::{Signature, Signer as _, Verifier as _};

use crate::signed_head::{PublicKey, Signer};

/// A signature over a text, for one purpose: what is signed for one purpose is good for no other.
fn message(purpose: &str, text: &[u8]) -> Vec<u8> {
    [b"latchkey/".as_slice(), purpose.as_bytes(), b"/1\0", text].concat()
}

impl Signer {
    /// Signs a text for a purpose.
    pub fn sign_text(&self, purpose: &str, text: &[u8]) -> [u8; 64] {
        self.secret().sign(&message(purpose, text)).to_bytes()
    }
}

impl PublicKey {
    /// Whether this key has signed the text for the purpose.
    pub fn has_signed_text(&self, purpose: &str, text: &[u8], signature: &[u8; 64]) -> bool {
        let signature = Signature::from_bytes(signature);
        self.half().verify(&message(purpose, text), &signature).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signed_text_is_good_for_its_purpose_alone() {
        let folder = std::env::temp_dir().join(format!("signed-text-{}", std::process::id()));
        let signer = Signer::open(&folder).expect("a key");
        let signature = signer.sign_text("place", b"1");
        let key = signer.public();
        assert!(key.has_signed_text("place", b"1", &signature));
        assert!(!key.has_signed_text("place", b"2", &signature));
        assert!(!key.has_signed_text("receipt", b"1", &signature));
        std::fs::remove_file(&folder).expect("removed");
    }
}
