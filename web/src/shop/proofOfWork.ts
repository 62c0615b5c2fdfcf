import { sha256 } from "@noble/hashes/sha2.js";
import type { Challenge } from "./proof.ts";

/** How long the page may stand still at a time. */
const SLICE_MS = 12;

/** Tries answers until one fits; lets the page breathe in between. */
export async function work({ challenge, bits }: Challenge): Promise<string> {
  const encoder = new TextEncoder();
  for (let answer = 0; ; ) {
    const until = performance.now() + SLICE_MS;
    while (performance.now() < until) {
      const proof = `${challenge}:${answer}`;
      if (zeroBits(sha256(encoder.encode(proof))) >= bits) return proof;
      answer += 1;
    }
    await new Promise((next) => setTimeout(next));
  }
}

/** The zero bits that a hash begins with. */
export function zeroBits(hash: Uint8Array): number {
  const at = hash.findIndex((byte) => byte !== 0);
  return at < 0 ? hash.length * 8 : at * 8 + Math.clz32(hash[at] ?? 0) - 24;
}
