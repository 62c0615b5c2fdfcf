import { useCallback, useEffect, useRef, useState } from "react";
import type { Lead, User } from "../../contract/wire.ts";
import { deviceStorage } from "../../deviceStorage.ts";
import type { LeadChanges } from "../../ui/leadChange.ts";
import { useSession } from "../session.ts";
import { firstPhoneCode, phoneCodeOfDial } from "../ui/dialCodes.ts";
import type { LeadInventory } from "../ui/overlays.ts";
import { todayAt } from "./moveIn.ts";
import { readSaved, type SavedField, type SavedForm, stillMeant, writeSaved } from "./savedForm.ts";

/** The form's values while it is open; every change is kept on the device at once (C4). */
export interface LeadDraft {
  values: SavedForm;
  /** Something was filled in from an earlier visit. */
  restored: boolean;
  set: (field: SavedField, value: string) => void;
  /** Another tab changed the lead: its word stands in every field that was not changed here. */
  take: (lead: Lead, changes: LeadChanges) => void;
}

/**
 * D79: profile before local storage; the reader's own typing before both. A lead that is edited speaks for itself, and
 * what is typed into it is no new enquiry's.
 */
export function useLeadDraft(inventory: LeadInventory | null, edited: Lead | null = null): LeadDraft {
  const session = useSession();
  const [values, setValues] = useState<SavedForm>(() => (edited ? leadValues(edited) : freshValues(inventory)));
  const isEdit = edited !== null;
  const [restored] = useState(() => !isEdit && Boolean(values["user_details/name"] ?? values["user_details/email"]));
  const typed = useRef(new Set<SavedField>());
  const user = session.state === "user" ? session.user : null;
  useEffect(() => {
    if (!user || isEdit) return;
    const known = Object.entries(profileValues(user)).filter(
      ([field]) => ![...typed.current].some((name) => name === field),
    );
    setValues((before) => ({ ...before, ...Object.fromEntries(known) }));
  }, [user, isEdit]);
  const set = useCallback(
    (field: SavedField, value: string) => {
      typed.current.add(field);
      setValues((before) => ({ ...before, [field]: value }));
      if (!isEdit) writeSaved(deviceStorage(), { [field]: value });
    },
    [isEdit],
  );
  const take = useCallback((lead: Lead, changes: LeadChanges) => {
    const theirs = Object.entries(leadValues(lead)).filter(([field]) => !isChanged(field, changes));
    setValues((before) => ({ ...before, ...Object.fromEntries(theirs) }));
  }, []);
  return { values, restored, set, take };
}

function isChanged(field: string, changes: LeadChanges): boolean {
  const name = field === "user_details/phone_code" ? "user_details/phone" : field;
  return Object.keys(changes).some((changed) => changed === name || changed === `data/${name}`);
}

function freshValues(inventory: LeadInventory | null): SavedForm {
  return {
    "user_details/phone_code": firstPhoneCode(inventory?.region.country_key ?? null),
    ...stillMeant(readSaved(deviceStorage()), todayAt(inventory)),
    // What was chosen on this home's page is what is meant now, to the day.
    ...(inventory?.move_in_date && { move_in_date: inventory.move_in_date }),
    ...(inventory?.lease_duration && { lease_duration: inventory.lease_duration }),
  };
}

/** A lead in the form's words; what it does not say is empty, not unknown. */
function leadValues({ user_details: person, data }: Lead): SavedForm {
  return {
    "user_details/name": person.name,
    "user_details/email": person.email,
    "user_details/phone": person.phone_details.national,
    "user_details/phone_code": phoneCodeOfDial(person.phone_details.country_code),
    move_in_date: data.move_in_date ?? "",
    lease_duration: data.lease_duration ?? "",
    university: data.university ?? "",
    configuration: data.configuration ?? "",
    no_of_students: String(data.no_of_students ?? ""),
    budget: String(data.budget ?? ""),
  };
}

/** What the profile knows, in the form's words. */
function profileValues(user: User): SavedForm {
  return {
    ...(user.name && { "user_details/name": user.name }),
    ...(user.email && { "user_details/email": user.email }),
    ...(user.phone && { "user_details/phone": user.phone }),
  };
}
