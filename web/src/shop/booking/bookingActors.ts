import { fromPromise } from "xstate";
import { ApiError, buildAddress, del, get, patch, post } from "../../api.ts";
import { sourceDetails } from "../../attribution.ts";
import type {
  BookingForm,
  BookingFormPage,
  Lead,
  LeadPayload,
  SentDocument,
  UserHistory,
} from "../../contract/wire.ts";
import { deviceStorage } from "../../deviceStorage.ts";
import { listenWhileSeen } from "../../seenStream.ts";
import { loadPart } from "../../ui/lazyPart.tsx";
import { changeLead, stayChange } from "../../ui/leadChange.ts";
import { isLoginNeeded } from "../../ui/loginNeeded.ts";
import { postAsPerson } from "../proof.ts";
import { rememberedLead, rememberLead } from "../ui/knownLead.ts";
import type { Beginning, Opened, Remembered, Started } from "./bookingContext.ts";
import { bookingMachine } from "./bookingMachine.ts";
import { earlierAnswers } from "./earlierAnswers.ts";
import { keptAnswers } from "./keptAnswers.ts";

/** The booking machine of one page with the server behind it. */
export function connectedBooking(page: BookingFormPage, room: string | null) {
  const { property } = page;
  const start = async (beginning: Beginning, leadUuid: string | null, seen: Lead | null): Promise<Started> => {
    const lead = await (leadUuid === null ? createLead(beginning, property) : wishFor(leadUuid, seen, beginning));
    const lead_uuid = lead.uuid;
    // The same words made a lead that has an owner by now: its form opens with their login.
    if (lead_uuid === "") throw new ApiError("refused", { status: 403, code: "log_in_first" });
    rememberLead(property.id, lead_uuid);
    const { bookform_source } = page.prefill;
    const booking_form = { lead_uuid, inventory_id: beginning.inventoryId, flow: property.flow, bookform_source };
    const form = await post("/api/v0/booking_forms", {
      body: { booking_form },
      idempotencyKey: `${beginning.key}.form`,
    });
    return { form, lead };
  };
  return bookingMachine.provide({
    actors: {
      findForm: fromPromise(() => findForm(page, page.prefill.lead_uuid, room)),
      startForm: fromPromise(({ input }) => start(input.beginning, input.leadUuid, input.lead)),
      saveSection: fromPromise(({ input }) => {
        const { answers, seen, complete, focused } = input;
        const fields = Object.fromEntries(
          Object.entries(answers).map(([field, value]) => [
            field,
            { value, ...(field in seen && { seen: seen[field] }) },
          ]),
        );
        return patch("/api/v0/booking_forms/{form_uuid}/sections/{key}", {
          path: { form_uuid: input.formUuid, key: input.section },
          body: { fields, complete, focused },
        });
      }),
      submitForm: fromPromise(({ input }) =>
        post("/api/v0/booking_forms/{form_uuid}/submit", { path: { form_uuid: input.formUuid } }),
      ),
      remember: fromPromise(({ input }) => remember(input.form)),
    },
  });
}

/** Sends a document with the form (D93). */
export async function sendDocument(
  formUuid: string,
  file: File,
  onSent: (part: number) => void,
): Promise<SentDocument> {
  const { postFile } = await loadPart(import("../../postFile.ts"));
  return postFile("/api/v0/booking_forms/{form_uuid}/documents", file, { path: { form_uuid: formUuid } }, { onSent });
}

/** Takes a document back (D93). */
export function removeDocument(formUuid: string, id: string): Promise<unknown> {
  return del("/api/v0/booking_forms/{form_uuid}/documents/{id}", { path: { form_uuid: formUuid, id } });
}

/** While the stream is silent or broken, the form is read this often. */
const POLL_MS = 3000;

/**
 * Tells the form as other devices save it, by the server's stream and by reading it while that is not open; `onClaimed` where it is
 * its account's alone by now. A hidden tab does neither, and reads once when it is seen again. Answers how to stop.
 */
export function watchForm(formUuid: string, tell: (form: BookingForm) => void, onClaimed: () => void): () => void {
  const path = { form_uuid: formUuid };
  let open = false;
  const read = () => {
    get("/api/v0/booking_forms/{form_uuid}", { path, fresh: true }).then(tell, (failure) => {
      if (!isLoginNeeded(failure)) return;
      stop();
      onClaimed();
    });
  };
  const hear = (isOpen: boolean) => {
    open = isOpen;
  };
  const close = listenWhileSeen(buildAddress("/api/v0/booking_forms/{form_uuid}/stream", { path }), {
    events: { form: (data) => tell(JSON.parse(data)) },
    opened: () => hear(true),
    broke: () => hear(false),
    turned: (isSeen) => {
      hear(false);
      if (isSeen) read();
    },
  });
  const timer = setInterval(() => open || document.hidden || read(), POLL_MS);
  const stop = () => {
    clearInterval(timer);
    close();
  };
  return stop;
}

/** A lead in the address comes first, then the visitor's own history here, then what this device remembers. */
async function findForm({ property }: BookingFormPage, asked: string | null, room: string | null): Promise<Opened> {
  const history = await historyOf(property.id, asked);
  const leadUuid = asked ?? history?.lead_uuid ?? rememberedLead(property.id);
  const found = { leadUuid, lead: null, inventoryId: room, afterPayment: false };
  if (leadUuid === null) return { ...found, form: null };
  try {
    if (history?.form_uuid && history.lead_uuid === leadUuid) {
      const form = await get("/api/v0/booking_forms/{form_uuid}", {
        path: { form_uuid: history.form_uuid },
        fresh: true,
      });
      return { ...found, form, afterPayment: history.payment_completed };
    }
    return { ...found, ...(await formOfLead(leadUuid, room ?? property.id, property.flow)) };
  } catch (failure) {
    if (isLoginNeeded(failure)) return { ...found, form: null, isClaimed: true };
    throw failure;
  }
}

/** A lead that has a form gives it back when it is asked to begin one. */
async function formOfLead(lead_uuid: string, inventory_id: string, flow: "book" | "apply") {
  try {
    const lead = await get("/api/v0/leads/{id}", {
      path: { id: lead_uuid },
      query: { methods: "forms_present" },
      fresh: true,
    });
    // Somebody claimed it since: only they, logged in, go on with it.
    if (lead.uuid === "") return { form: null, isClaimed: true };
    if (lead.forms_present.length === 0) return { form: null, lead };
    return {
      form: await post("/api/v0/booking_forms", { body: { booking_form: { lead_uuid, inventory_id, flow } } }),
      lead,
    };
  } catch (failure) {
    // A lead that is not ours (any more) is no lead: the form begins anew.
    if (failure instanceof ApiError && failure.status === 404) return { form: null, leadUuid: null };
    throw failure;
  }
}

async function historyOf(propertyId: string, lead_uuid: string | null): Promise<UserHistory | null> {
  try {
    return await get("/api/v0/inventories/{id}/user_history", {
      path: { id: propertyId },
      query: { lead_uuid },
      fresh: true,
    });
  } catch (failure) {
    // Somebody unknown has no history here; only an unreachable server stops the page.
    if (failure instanceof ApiError && failure.kind === "refused") return null;
    throw failure;
  }
}

async function remember(form: BookingForm | null): Promise<Remembered> {
  if (!form) return { unsaved: {}, seen: {}, contact: {}, earlier: {}, lead: null };
  const kept = keptAnswers(deviceStorage(), form.form_uuid);
  const earlier = await earlierAnswers(form);
  try {
    const lead = await get("/api/v0/leads/{id}", { path: { id: form.lead_uuid }, fresh: true });
    const { user_details } = lead;
    const { country_code, national } = user_details.phone_details;
    const phone = `${country_code} ${national}`;
    return {
      ...kept,
      contact: { full_name: user_details.name, email: user_details.email, phone },
      earlier,
      lead,
    };
  } catch {
    // Spec §8: a lead that cannot be fetched is ignored; the fields are empty then.
    return { ...kept, contact: {}, earlier, lead: null };
  }
}

/** A lead that is known takes over the lease chosen here, unless another tab gave it another one meanwhile (D82). */
async function wishFor(leadUuid: string, known: Lead | null, { wish }: Beginning): Promise<Lead> {
  const seen = known ?? (await get("/api/v0/leads/{id}", { path: { id: leadUuid }, fresh: true }));
  return changeLead(seen, stayChange(wish));
}

/** Sends the enquiry, with the link that this device keeps: a try whose answer was lost is found again by it. */
function createLead(
  { inventoryId, wish, contact, key }: Beginning,
  property: BookingFormPage["property"],
): Promise<Lead> {
  const earlier = rememberedLead(property.id);
  const { website, ...user_details } = contact ?? { name: "", email: "", phone: "", website: "" };
  const lead: LeadPayload = {
    state: "created",
    ...(earlier && { lead_uuid: earlier }),
    inventory_id: inventoryId,
    user_details,
    data: wish,
    meta: { lead_source: "booking_form", variant: property.flow === "apply" ? "apply_now" : "book_now" },
    source_details: sourceDetails({ url: location.href, referrer: document.referrer }),
    ...(website && { website }),
  };
  return postAsPerson("lead_submission", key, (proven) => post("/api/v0/leads", { body: { lead }, ...proven }));
}
