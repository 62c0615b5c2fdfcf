import { createContext, useContext, useMemo } from "react";
import type { StreamKind } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { LeadField } from "../../ui/leadChange.ts";
import { useLeadText } from "../../ui/leadText.tsx";
import { dayAndTime, plainDay } from "../clock.ts";
import { inWords } from "../StatusRing.tsx";

/** Label keys per `stream/field`, as the timeline announced them. */
export const LabelKeys = createContext<ReadonlyMap<string, string>>(new Map());

/** What a student wished for, stored as it travels: `26 weeks`, `july_to_september`, `Studio Room`. */
const wishes: Record<string, LeadField> = {
  move_in_date: "data/move_in_date",
  lease_duration: "data/lease_duration",
  configuration: "data/configuration",
};

interface FieldText {
  label: (stream: StreamKind, field: string) => string;
  /** A stored value as people read it: coded statuses in words, dates as dates, everything else as it stands. */
  value: (stream: StreamKind, field: string, stored: string) => string;
}

export function useFieldText(): FieldText {
  const { t, tData, lang } = useI18n();
  const lead = useLeadText();
  const keys = useContext(LabelKeys);
  return useMemo(() => {
    const known = (key: string): string | null => {
      const text = tData(key);
      return text === key ? null : text;
    };
    return {
      label: (stream, field) => {
        const key = keys.get(`${stream}/${field}`);
        return (key === undefined ? null : known(key)) ?? known(`timeline_ui.field_${field}`) ?? inWords(field);
      },
      value: (stream, field, stored) => {
        const wish = stream === "lead" && stored !== "" ? wishes[field] : undefined;
        if (wish) return lead.value(wish, stored);
        if (/^\d{4}-\d\d-\d\dT/.test(stored)) return dayAndTime(stored, lang);
        const [, brand, last4] = field === "card" ? (/^(\w+) (\d{4})$/.exec(stored) ?? []) : [];
        if (brand !== undefined && last4 !== undefined)
          return t("support.card_ending", { brand: inWords(brand), last4 });
        if (/^\d{4}-\d\d-\d\d$/.test(stored)) return plainDay(stored, lang);
        if (!/^[a-z]+(_[a-z]+)*$/.test(stored)) return stored;
        return known(`timeline_ui.${stream}_${field}_${stored}`) ?? known(`timeline_ui.value_${stored}`) ?? stored;
      },
    };
  }, [t, tData, lang, keys, lead]);
}
