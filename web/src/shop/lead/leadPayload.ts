import type { LeadPayload, LeadVariant, SourceDetails } from "../../contract/wire.ts";
import type { LeadChanges } from "../../ui/leadChange.ts";
import { internationalPhone } from "../ui/dialCodes.ts";
import type { LeadInventory } from "../ui/overlays.ts";
import type { SavedForm } from "./savedForm.ts";

/** What page 1 asks beyond the saved form. */
export interface LeadAnswers {
  question: string;
  referralName: string;
  referralCode: string;
  councellorName: string;
  councellorEmail: string;
  councellorCountry: string;
  councellorOffice: string;
  /** Consent to marketing (D137): never ticked for the reader. */
  similarMail: boolean;
  /** The trap: a person leaves it empty. */
  website: string;
}

export const NO_ANSWERS: LeadAnswers = {
  question: "",
  referralName: "",
  referralCode: "",
  councellorName: "",
  councellorEmail: "",
  councellorCountry: "",
  councellorOffice: "",
  similarMail: false,
  website: "",
};

interface Parts {
  variant: LeadVariant;
  inventory: LeadInventory | null;
  values: SavedForm;
  answers: LeadAnswers;
  source: SourceDetails;
  /** The lead this device sent for the home before: who is not logged in shows by it that they ask again. */
  earlier: string | null;
}

/** Puts the lead payload of Spec §3 together; what was left empty is left out. */
export function leadPayload({ variant, inventory, values, answers, source, earlier }: Parts): LeadPayload {
  return {
    state: "created",
    ...(earlier && { lead_uuid: earlier }),
    ...(inventory && {
      inventory_id: inventory.room_inventory_id ?? inventory.id,
      region_id: inventory.region.id,
    }),
    user_details: {
      name: (values["user_details/name"] ?? "").trim(),
      email: (values["user_details/email"] ?? "").trim(),
      phone: internationalPhone(values["user_details/phone_code"] ?? "", values["user_details/phone"] ?? ""),
    },
    ...(!inventory && values.region && { location_place_name: values.region }),
    data: leadData(values, answers, inventory),
    meta: {
      lead_source: "web",
      variant,
      ...counsellor(answers),
    },
    source_details: source,
    ...(answers.website && { website: answers.website }),
    event_options: { user_notification: answers.similarMail ? "true" : "false" },
    ...(answers.referralCode && {
      referral_details: { name: answers.referralName, code: answers.referralCode },
    }),
  };
}

/** Misspelt as on the wire (D85); a field left empty is left out. */
function counsellor(answers: LeadAnswers): Pick<NonNullable<LeadPayload["meta"]>, "idp_form_data"> {
  const said = {
    councellor_name: answers.councellorName.trim(),
    councellor_email: answers.councellorEmail.trim(),
    councellor_country: answers.councellorCountry.trim(),
    councellor_office: answers.councellorOffice.trim(),
  };
  const filled = Object.entries(said).filter(([, text]) => text !== "");
  return filled.length === 0 ? {} : { idp_form_data: Object.fromEntries(filled) };
}

/** Page 1 of an edit: what stands in the form is what the lead shall say; an emptied wish is cleared (D82). */
export function editedDetails(values: SavedForm): LeadChanges {
  return {
    "user_details/name": (values["user_details/name"] ?? "").trim(),
    "user_details/email": (values["user_details/email"] ?? "").trim(),
    "user_details/phone": internationalPhone(
      values["user_details/phone_code"] ?? "",
      values["user_details/phone"] ?? "",
    ),
    "data/move_in_date": values.move_in_date || null,
    "data/lease_duration": values.lease_duration || null,
  };
}

function leadData(
  values: SavedForm,
  answers: LeadAnswers,
  inventory: LeadInventory | null,
): NonNullable<LeadPayload["data"]> {
  const configuration = inventory?.configuration ?? values.configuration;
  const moveIn = values.move_in_date ?? inventory?.move_in_date;
  const lease = values.lease_duration ?? inventory?.lease_duration;
  return {
    ...(moveIn && { move_in_date: moveIn }),
    ...(lease && { lease_duration: lease }),
    ...(values.university && { university: values.university }),
    ...(values.intake && { intake: values.intake }),
    ...(configuration && { configuration }),
    ...(answers.question.trim() && { user_query: answers.question.trim() }),
  };
}
