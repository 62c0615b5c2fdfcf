import { useCallback, useEffect, useRef, useState } from "react";
import type { User } from "../contract/wire.ts";
import { useSession } from "../session.ts";
import { firstPhoneCode } from "../ui/dialCodes.ts";
import type { LeadInventory } from "../ui/overlays.ts";
import { readSaved, type SavedField, type SavedForm, stillMeant, writeSaved } from "./savedForm.ts";

/** The form's values while it is open; every change is kept on the device at once (C4). */
export interface LeadDraft {
  values: SavedForm;
  /** Something was filled in from an earlier visit. */
  restored: boolean;
  set: (field: SavedField, value: string) => void;
}

/** D79: profile before local storage; the reader's own typing before both. */
export function useLeadDraft(inventory: LeadInventory | null): LeadDraft {
  const session = useSession();
  const [values, setValues] = useState<SavedForm>(() => ({
    "user_details/phone_code": firstPhoneCode(inventory?.region.country_key ?? null),
    ...stillMeant(readSaved(localStorage), new Date().toISOString()),
    // What was chosen on this home's page is what is meant now, to the day.
    ...(inventory?.move_in_date && { move_in_date: inventory.move_in_date }),
    ...(inventory?.lease_duration && { lease_duration: inventory.lease_duration }),
  }));
  const [restored] = useState(() => Boolean(values["user_details/name"] ?? values["user_details/email"]));
  const typed = useRef(new Set<SavedField>());
  const user = session.state === "user" ? session.user : null;
  useEffect(() => {
    if (!user) return;
    const known = Object.entries(profileValues(user)).filter(
      ([field]) => ![...typed.current].some((name) => name === field),
    );
    setValues((before) => ({ ...before, ...Object.fromEntries(known) }));
  }, [user]);
  const set = useCallback((field: SavedField, value: string) => {
    typed.current.add(field);
    setValues((before) => ({ ...before, [field]: value }));
    writeSaved(localStorage, { [field]: value });
  }, []);
  return { values, restored, set };
}

/** What the profile knows, in the form's words. */
function profileValues(user: User): SavedForm {
  return {
    ...(user.name && { "user_details/name": user.name }),
    ...(user.email && { "user_details/email": user.email }),
    ...(user.phone && { "user_details/phone": user.phone }),
  };
}
