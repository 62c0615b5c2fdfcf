import { useState } from "react";
import { get } from "../../api.ts";
import type { ActivityLead, Lead, PropertyPage } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { fetchPage, isPage } from "../../page.ts";
import * as paths from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import { homeSubject } from "../ui/homeSubject.ts";
import { type LeadInventory, openLeadEdit } from "../ui/overlays.ts";
import { isEditable } from "./leadState.ts";

/** Opens the enquiry dialog on this lead as the server has it now (Spec §2 `edit_details`). */
export function EditDetails({ lead, onChanged }: { lead: ActivityLead; onChanged: () => void }) {
  const { t } = useI18n();
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    try {
      const [seen, home] = await Promise.all([
        get("/api/v0/leads/{id}", { path: { id: lead.lead_uuid }, fresh: true }),
        homeOf(lead.property.canonical_name),
      ]);
      if (isEditable(seen.state)) openLeadEdit(home && subjectOf(home, seen, lead), seen, onChanged);
      else {
        toast(t("profile.edit_closed"), "error");
        onChanged();
      }
    } catch {
      toast(t("profile.edit_failed"), "error");
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button busy={busy} onClick={() => void open()}>
      {t("profile.edit_details")}
    </Button>
  );
}

/** The dialog stands without the home too: contact and dates need none. */
async function homeOf(canonicalName: string): Promise<PropertyPage | null> {
  if (canonicalName === "") return null;
  try {
    const page = await fetchPage(paths.property(canonicalName));
    return isPage(page, "property") ? page.data : null;
  } catch {
    return null;
  }
}

/** The price is of the stay, as the booking's card says it, not of the home's cheapest room. */
function subjectOf(home: PropertyPage, { data }: Lead, { room }: ActivityLead): LeadInventory {
  return {
    ...homeSubject(home),
    price: room?.price ?? home.price,
    configuration: data.configuration ?? null,
    move_in_date: data.move_in_date ?? null,
    lease_duration: data.lease_duration ?? null,
  };
}
