/** The zeros of the decimal digits that keyboards write; nine more follow each. The server reads the same (`digits.rs`). */
const ZEROS = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0,
  0x0f20, 0x1040, 0x17e0, 0xff10,
];

/** Format characters that pasted text brings along, such as direction marks. */
const UNSEEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;

/** Digits of any script as 0 to 9, dashes and spaces of any width as plain ones, format characters dropped. */
export function plainText(text: string): string {
  return text
    .replace(UNSEEN, "")
    .replace(DASHES, "-")
    .replace(/\s/g, " ")
    .replace(/\uff0b/g, "+")
    .replace(/\uff08/g, "(")
    .replace(/\uff09/g, ")")
    .replace(/\uff0f/g, "/")
    .replace(/\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0;
      const zero = ZEROS.find((first) => code >= first && code < first + 10);
      return zero === undefined ? digit : String(code - zero);
    });
}

/** The one-time code in a pasted text: its first six digits that stand together apart from spaces and dashes; else its digits. */
export function oneTimeCode(text: string): string {
  const groups = plainText(text)
    .split(/[^\d\s-]+/)
    .map((group) => group.replace(/\D/g, ""));
  return groups.find((group) => group.length === 6) ?? groups.join("").slice(0, 6);
}
