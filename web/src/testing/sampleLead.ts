import type { Lead } from "../contract/wire.ts";

/** A lead as its sender reads it, the day after it was sent. */
export const sampleLead: Lead = {
  id: "1",
  uuid: "u-1",
  lead_uuid: "u-1",
  reference: "AMB-7Q4K-2N",
  state: "created",
  version: 1,
  repeat: false,
  repeats_wish: false,
  verified: false,
  inventory_id: "home-1",
  inventory_root_id: "home-1",
  region_id: null,
  user_details: {
    name: "Marta Ruiz",
    email: "marta@uni.example",
    phone: "+34612345678",
    phone_details: { country_code: "+34", national: "612345678", international: "+34 612 345 678" },
  },
  data: {},
  meta: {},
  source_details: {},
  event_options: {},
  referral_details: {},
  forms_present: [],
  created_at: "2026-11-20T14:31:00Z",
};
