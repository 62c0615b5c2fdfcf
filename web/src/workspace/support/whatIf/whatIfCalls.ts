/** What the browser asks of branches of a lead's history. */
import { queryOptions } from "@tanstack/react-query";
import { post } from "../../../api.ts";
import type { WhatIf, WhatIfAct, WhatIfApplied, WhatIfConditions, WhatIfStep } from "../../../contract/wire.ts";

/** Only what the act needs: `act`, and its own fields. */
export type Step = Omit<WhatIfStep, "act"> & { act: WhatIfAct };

/** What the steps would come to from an event of the history; `null`: from now. */
export const whatIfQuery = (
  leadId: string,
  from: number | null,
  steps: readonly Step[],
  conditions: WhatIfConditions,
) =>
  queryOptions({
    queryKey: ["what-if", leadId, from, steps, conditions],
    queryFn: ({ signal }) =>
      post("/api/v0/workspace/leads/{id}/what-if", {
        path: { id: leadId },
        body: { from, steps: [...steps], conditions },
        signal,
      }),
    enabled: steps.length > 0,
    staleTime: 0,
    retry: false,
  });

/** Applies a branch as it was answered; the same `intent` sent twice applies it once. */
export function applyBranch(
  leadId: string,
  tried: WhatIf,
  steps: readonly Step[],
  reason: string,
  intent: string,
): Promise<WhatIfApplied> {
  const { branch, base: begins, from } = tried;
  return post("/api/v0/workspace/leads/{id}/what-if/{branch}/apply", {
    path: { id: leadId, branch },
    body: { base: begins, from, steps: [...steps], reason },
    idempotencyKey: intent,
  });
}

/** What can be tried, in the order of the list. */
export const ACTS: readonly WhatIfAct[] = [
  "refund",
  "cancel_booking",
  "ask_refund",
  "ask_cancellation",
  "change_stay",
  "change_room",
  "extend_hold",
  "send_enquiry",
  "close",
  "reopen",
];

/** Acts that only finance does. */
export const isMoney = (act: WhatIfAct): boolean => act === "refund" || act === "cancel_booking";
