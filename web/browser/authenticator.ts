import { hmac } from "@noble/hashes/hmac.js";
import { sha1 } from "@noble/hashes/legacy.js";

/** The six digits that a device shows (RFC 6238) when a clock that was put forward by `ahead` seconds is now. */
export function codeOf(secret: string, ahead = 0): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret.replace(/\s/g, "")].map((letter) => letters.indexOf(letter).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  const key = Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
  const step = new DataView(new ArrayBuffer(8));
  step.setBigUint64(0, BigInt(Math.floor((Date.now() / 1_000 + ahead) / 30)));
  const digest = hmac(sha1, key, new Uint8Array(step.buffer));
  const at = (digest.at(-1) ?? 0) & 15;
  const number = new DataView(digest.buffer, digest.byteOffset).getUint32(at) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, "0");
}
