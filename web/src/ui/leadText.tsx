import { useMemo } from "react";
import { useFormat, useI18n } from "../i18n/i18n.tsx";
import type { MessageKey } from "../i18n/keys.ts";
import type { LeadField } from "./leadChange.ts";
import { useRoomName } from "./roomKind.ts";

const labels: Partial<Record<LeadField, MessageKey>> = {
  "user_details/name": "change.name",
  "user_details/email": "change.email",
  "user_details/phone": "change.phone",
  "data/move_in_date": "change.move_in_date",
  "data/lease_duration": "change.lease_duration",
  "data/university": "change.university",
  "data/configuration": "change.configuration",
  "data/no_of_students": "change.no_of_students",
  "data/budget": "change.budget",
};

/** Spec §3: the quarters in which people say they move, by their first month. */
const quarters: Record<string, number> = {
  january_to_march: 1,
  april_to_june: 4,
  july_to_september: 7,
  october_to_december: 10,
};

interface LeadText {
  /** The field's name; null for one that only goes along with another. */
  label: (field: LeadField) => string | null;
  /** A stored value as people read it. */
  value: (field: LeadField, stored: string) => string;
}

/** What a lead says, in the reader's words. Needs the texts of `change`. */
export function useLeadText(): LeadText {
  const { t } = useI18n();
  const format = useFormat();
  const roomName = useRoomName();
  return useMemo(() => {
    const moveIn = (stored: string) => {
      const first = quarters[stored];
      if (first === undefined) return format.date(stored, stored.length > 7 ? "day" : "month");
      return t("change.quarter", { from: format.month(String(first)), to: format.month(String(first + 2)) });
    };
    const stay = (stored: string) => {
      const [, n, unit] = /^(\d+) (week|month)s?$/.exec(stored) ?? [];
      return n ? t(unit === "week" ? "change.weeks" : "change.months", { n: Number(n) }) : stored;
    };
    return {
      label: (field) => {
        const key = labels[field];
        return key ? t(key) : null;
      },
      value: (field, stored) => {
        if (stored === "") return t("change.nothing");
        if (field === "data/move_in_date") return moveIn(stored);
        if (field === "data/lease_duration") return stay(stored);
        return field === "data/configuration" ? roomName(stored) : stored;
      },
    };
  }, [t, format, roomName]);
}
