import { fromPromise } from "xstate";
import { post, put } from "../api.ts";
import type { Lead, LeadPayload } from "../contract/wire.ts";
import { postWithProof } from "../proof.ts";
import { leadFormMachine } from "./leadFormMachine.ts";

/** The lead form machine with the server behind it (Spec §7: POST and PUT leads, virtual_tour_request). */
export const connectedLeadForm = leadFormMachine.provide({
  actors: {
    sendLead: fromPromise<Lead, { payload: LeadPayload; key: string; leadUuid: string | null }>(({ input }) =>
      input.leadUuid === null
        ? postWithProof<Lead>("/api/v0/leads/", { lead: input.payload }, { idempotencyKey: input.key })
        : put<Lead>(`/api/v0/leads/${input.leadUuid}`, { lead: input.payload }),
    ),
    saveContinuation: fromPromise(({ input }) =>
      put<Lead>(`/api/v0/leads/${input.leadUuid}`, { lead: { data: input.continuation } }),
    ),
    requestViewing: fromPromise(({ input: { lead, slot, key } }) =>
      post<Lead>(
        "/api/v0/leads/virtual_tour_request",
        {
          lead: {
            lead_uuid: lead.uuid,
            inventory_id: lead.inventory_id,
            user_details: {
              name: lead.user_details.name,
              email: lead.user_details.email,
              phone: lead.user_details.phone,
            },
            data: { property_view_request_details: { ...slot, mode: "virtual" } },
          },
        },
        { idempotencyKey: key },
      ),
    ),
  },
});
