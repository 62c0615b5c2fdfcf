import { fromPromise } from "xstate";
import { ApiError, get, post, put } from "../api.ts";
import type { BookingForm, BookingFormPage, Lead, UserHistory } from "../contract/wire.ts";
import { type Beginning, bookingMachine, type Opened, type Remembered } from "./bookingMachine.ts";
import { keptAnswers } from "./keptAnswers.ts";

const forms = "/api/v0/booking_forms";

/** The booking machine of one page with the server behind it. */
export function connectedBooking({ property, prefill }: BookingFormPage, room: string | null) {
  const start = async (beginning: Beginning, leadUuid: string | null): Promise<BookingForm> => {
    const lead_uuid = leadUuid ?? (await createLead(beginning)).uuid;
    const booking_form = { lead_uuid, inventory_id: beginning.inventoryId, flow: property.flow };
    return post<BookingForm>(forms, { booking_form }, { idempotencyKey: `${beginning.key}.form` });
  };
  return bookingMachine.provide({
    actors: {
      findForm: fromPromise(() => findForm(property.id, prefill.lead_uuid, room)),
      startForm: fromPromise(({ input }) => start(input.beginning, input.leadUuid)),
      saveSection: fromPromise(({ input }) =>
        put<BookingForm>(`${forms}/${input.formUuid}/sections/${input.section}`, {
          section: input.answers,
          complete: input.complete,
        }),
      ),
      submitForm: fromPromise(({ input }) => post<BookingForm>(`${forms}/${input.formUuid}/submit`, {})),
      remember: fromPromise(({ input }) => remember(input.form)),
    },
  });
}

/** By the visitor's own history here; a lead in the address comes first. */
async function findForm(propertyId: string, leadUuid: string | null, room: string | null): Promise<Opened> {
  const history = await historyOf(propertyId);
  const found = { leadUuid: leadUuid ?? history?.lead_uuid ?? null, inventoryId: room };
  const isSameLead = leadUuid === null || leadUuid === history?.lead_uuid;
  if (!history?.form_uuid || !isSameLead) return { ...found, form: null, afterPayment: false };
  const form = await get<BookingForm>(`${forms}/${history.form_uuid}`, { fresh: true });
  return { ...found, form, afterPayment: history.payment_completed };
}

async function historyOf(propertyId: string): Promise<UserHistory | null> {
  try {
    return await get<UserHistory>(`/api/v0/inventories/${propertyId}/user_history`, { fresh: true });
  } catch (failure) {
    // Somebody unknown has no history here; only an unreachable server stops the page.
    if (failure instanceof ApiError && failure.kind === "refused") return null;
    throw failure;
  }
}

async function remember(form: BookingForm | null): Promise<Remembered> {
  if (!form) return { unsaved: {}, contact: {} };
  const unsaved = keptAnswers(localStorage, form.form_uuid);
  try {
    const { user_details } = await get<Lead>(`/api/v0/leads/${form.lead_uuid}`);
    const { country_code, national } = user_details.phone_details;
    const phone = `${country_code} ${national}`;
    return { unsaved, contact: { full_name: user_details.name, email: user_details.email, phone } };
  } catch {
    // Spec §8: a lead that cannot be fetched is ignored; the fields are empty then.
    return { unsaved, contact: {} };
  }
}

function createLead({ inventoryId, contact, key }: Beginning): Promise<Lead> {
  const user_details = contact ?? { name: "", email: "", phone: "" };
  const lead = {
    state: "created",
    inventory_id: inventoryId,
    user_details,
    meta: { lead_source: "booking_form", variant: "book_now" },
  };
  return post<Lead>("/api/v0/leads/", { lead }, { idempotencyKey: key });
}
