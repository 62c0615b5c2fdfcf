import { randomUUID } from "node:crypto";

/** What a student leaves behind who enquired, was declined once and then paid. */
export interface Booking {
  reference: string;
  email: string;
  paymentReference: string;
}

interface Answer<T> {
  data: T;
  position?: number;
}

interface Form {
  form_uuid: string;
  form: {
    sections: {
      key: string;
      hidden: boolean;
      after_payment: boolean;
      fields: { key: string; type: string; options: string[] }[];
    }[];
  };
}

let seen = 0;

async function call<T>(url: string, method: "GET" | "POST" | "PUT", path: string, body?: unknown): Promise<T> {
  const response = await fetch(url + path, {
    method,
    headers: {
      "content-type": "application/json",
      "x-latchkey-position": String(seen),
      ...(method === "GET" ? {} : { "idempotency-key": randomUUID() }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  const answer: Answer<T> = JSON.parse(text);
  seen = Math.max(seen, answer.position ?? 0);
  return answer.data;
}

/** Goes the student's whole way over HTTP: enquiry, booking form, a declined card, a good one. */
export async function bookARoom(url: string, email: string): Promise<Booking> {
  const stay = await aFreeStay(url);
  const room = stay.inventory_id;
  const lease_duration = `${stay.lease_duration} ${stay.lease_duration_unit}`;
  const lead = await call<{ lead_uuid: string; reference: string }>(url, "POST", "/api/v0/leads", {
    lead: {
      state: "created",
      inventory_id: room,
      user_details: { name: "Mei Ling Chen", email, phone: "+44-7700900214" },
      data: { university: "University of Leeds", lease_duration, move_in_date: stay.move_in_date },
      meta: { variant: "book_now" },
    },
  });
  const form_uuid = await fillTheForm(url, lead.lead_uuid, room);
  const opened = await call<{ token: string; reference: string }>(url, "POST", "/api/v0/payments", {
    payment: { lead_uuid: lead.lead_uuid, inventory_id: room, form_uuid, payment_types: [] },
  });
  await payWith(url, opened.token, "4000000000009995", "failed");
  await payWith(url, opened.token, "4242424242424242", "success");
  return { reference: lead.reference, email, paymentReference: opened.reference };
}

interface Stay {
  inventory_id: string;
  move_in_date: string;
  lease_duration: number;
  lease_duration_unit: string;
  rooms_left: number;
}

interface HomePage {
  data: { room_types?: { options: Stay[] }[] };
}

/** A stay that can be booked, in the first home that has one. */
async function aFreeStay(url: string): Promise<Stay> {
  const path = "/api/v1/inventories?limit=20&available=true";
  const found = await call<{ result: { canonical_name: string }[] }>(url, "GET", path);
  for (const { canonical_name } of found.result) {
    const address = encodeURIComponent(`/places/${canonical_name}`);
    const page = await call<HomePage>(url, "GET", `/_page?url=${address}`);
    const stays = (page.data.room_types ?? []).flatMap((room) => room.options);
    const free = stays.find(({ rooms_left }) => rooms_left > 0);
    if (free !== undefined) return free;
  }
  throw new Error("no home of the demo catalogue has a free room");
}

async function fillTheForm(url: string, lead_uuid: string, inventory_id: string): Promise<string> {
  const begun = await call<Form>(url, "POST", "/api/v0/booking_forms", {
    booking_form: { lead_uuid, inventory_id, flow: "book" },
  });
  const path = `/api/v0/booking_forms/${begun.form_uuid}`;
  for (const { key, fields } of begun.form.sections.filter((section) => !section.hidden && !section.after_payment)) {
    const section = Object.fromEntries(fields.map((field) => [field.key, answerTo(field)]));
    await call(url, "PUT", `${path}/sections/${key}`, { section, complete: true });
  }
  await call(url, "POST", `${path}/submit`, {});
  return begun.form_uuid;
}

function answerTo({ type, options }: { type: string; options: string[] }): string | boolean {
  const answers: Record<string, string | boolean> = {
    email: "mei.chen@example.com",
    phone: "+44-7700900214",
    date: "2003-05-05",
    checkbox: true,
    country: "GB",
    select: options[0] ?? "",
  };
  return answers[type] ?? "Mei";
}

async function payWith(url: string, token: string, card_number: string, outcome: string): Promise<void> {
  await call(url, "POST", `/api/v0/payments/${token}/intent`, {});
  await reaches(url, token, "initiated");
  await call(url, "POST", `/api/v0/payments/${token}/sandbox_confirm`, { card_number });
  await reaches(url, token, outcome);
}

/** The gateway answers when it likes; this asks until it has, for at most half a minute. */
async function reaches(url: string, token: string, status: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  let last = "";
  while (Date.now() < deadline) {
    last = (await call<{ status: string }>(url, "GET", `/api/v0/payments/${token}`)).status;
    if (last === status) return;
    await new Promise((next) => setTimeout(next, 100));
  }
  throw new Error(`the payment stands at ${last}, not ${status}`);
}
