/** The proof strip's blocks. */
import type { ChainStatus } from "../../contract/wire.ts";

/** Events per block. */
export const SEGMENT = 4096;

export interface Segment {
  /** The block's first event. */
  first: number;
  state: "whole" | "open" | "broken";
  /** How much of the block is proved, 0 to 1. */
  share: number;
}

/** The last `most` blocks of the log; earlier ones are as proved as the first shown. */
export function segmentsOf(chain: ChainStatus, most: number): Segment[] {
  const count = Math.max(1, Math.ceil(chain.head / SEGMENT));
  const from = Math.max(0, count - most);
  // Nothing after a broken event is proved, whatever was recomputed.
  const through = Math.min(chain.verified_through, (chain.first_broken ?? Number.POSITIVE_INFINITY) - 1);
  return Array.from({ length: count - from }, (_, index) => {
    const first = (from + index) * SEGMENT + 1;
    const proved = Math.min(SEGMENT, Math.max(0, through - first + 1));
    const broken = chain.first_broken !== null && chain.first_broken >= first && chain.first_broken < first + SEGMENT;
    const share = proved / SEGMENT;
    return { first, share, state: broken ? "broken" : share === 1 ? "whole" : "open" };
  });
}
