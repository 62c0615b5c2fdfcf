import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { faultsOf } from "../failure.ts";
import { useKeptDraft } from "../keptDraft.ts";
import { usePastMoment } from "../pastMoment.ts";
import { useIntent } from "../useIntent.ts";
import { useOnePress } from "../useOnePress.ts";
import { useUnsavedWarning } from "../useUnsavedWarning.ts";
import { type Brand, type BrandEdit, type BrandValues, brandQuery, changeBrand } from "./brandCalls.ts";
import {
  cleanValues,
  type Draft,
  dropSent,
  listOvertaken,
  listValues,
  NO_DRAFT,
  showValues,
  typeOver,
  type ValueName,
} from "./brandEdit.ts";

/** The draft as the fields of the form share it. */
export interface BrandDesk {
  brand: Brand;
  /** The draft with everything that is typed. */
  shown: BrandValues;
  /** Refusals of the server by the name of the value. */
  faults: ReadonlyMap<string, string>;
  /** Nothing is changed while staff look at the past. */
  isPast: boolean;
  change: (values: BrandValues) => void;
}

const ABOUT = "house";
const kept = new Map<string, Draft>();

/** The draft while it is typed, and the press that saves it: what was typed stays while staff go elsewhere. */
export function useBrandDesk(brand: Brand) {
  const { t } = useI18n();
  const client = useQueryClient();
  const keyOf = useIntent();
  const [draft, setDraft] = useKeptDraft(kept, ABOUT, () => NO_DRAFT);
  const [touched, setTouched] = useState<ValueName | null>(null);
  const isPast = usePastMoment() !== null;
  const unsaved = listValues(Object.keys(draft.typed));
  useUnsavedWarning(unsaved.length > 0);
  const press = useOnePress<Brand, { edit: BrandEdit; onDone?: (saved: Brand) => void }>({
    mutationFn: ({ edit }) => changeBrand(edit, keyOf(edit)),
    onSuccess: (saved, { edit, onDone }) => {
      client.setQueryData(brandQuery.queryKey, saved);
      setDraft(dropSent(kept.get(ABOUT) ?? NO_DRAFT, edit.values, saved.draft));
      if (onDone === undefined) toast(t("brand.saved"));
      else onDone(saved);
    },
    onError: () => void client.invalidateQueries({ queryKey: brandQuery.queryKey }),
  });
  const change = (values: BrandValues) => {
    setTouched(listValues(Object.keys(values))[0] ?? null);
    // A file may arrive after other values were typed or saved.
    const saved = client.getQueryData(brandQuery.queryKey)?.draft ?? brand.draft;
    setDraft(typeOver(kept.get(ABOUT) ?? NO_DRAFT, saved, values));
  };
  const save = (onDone?: (saved: Brand) => void) => {
    const edit = { revision: brand.revision, values: cleanValues(draft.typed) };
    press.send(onDone === undefined ? { edit } : { edit, onDone });
  };
  const desk: BrandDesk = {
    brand,
    shown: showValues(draft, brand.draft),
    faults: faultsOf(press.error),
    isPast,
    change,
  };
  return { desk, draft, setDraft, touched, unsaved, overtaken: listOvertaken(draft, brand.draft), press, save };
}
