import { fromPromise } from "xstate";
import { post } from "../../api.ts";
import { changeLead } from "../../ui/leadChange.ts";
import { postAsPerson } from "../proof.ts";
import { leadFormMachine } from "./leadFormMachine.ts";

/** The lead form machine with the server behind it (Spec §7: POST and PUT leads, virtual_tour_request). */
export const connectedLeadForm = leadFormMachine.provide({
  actors: {
    sendLead: fromPromise(({ input: { payload, key, edited, changes } }) =>
      edited === null
        ? postAsPerson("lead_submission", key, (proven) =>
            post("/api/v0/leads", { body: { lead: payload }, ...proven }),
          )
        : changeLead(edited, changes),
    ),
    saveContinuation: fromPromise(({ input }) => changeLead(input.lead, input.continuation)),
    requestViewing: fromPromise(({ input: { lead, slot, key } }) =>
      post("/api/v0/leads/virtual_tour_request", {
        body: {
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
        idempotencyKey: key,
      }),
    ),
  },
});
