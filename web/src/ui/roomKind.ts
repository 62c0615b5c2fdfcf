import { useI18n } from "../i18n/i18n.tsx";
import type { MessageKey } from "../i18n/keys.ts";
import { FALLBACK } from "../i18n/languages.ts";

const kinds: Record<string, MessageKey> = {
  ensuite_room: "ui.kind_ensuite",
  studio_room: "ui.kind_studio",
  private_room: "ui.kind_private",
  shared_room: "ui.kind_shared",
  studio: "ui.kind_studio",
  one_bedroom: "ui.kind_1bhk",
  two_bedrooms: "ui.kind_2bhk",
  three_bedrooms: "ui.kind_3bhk",
  "1bhk": "ui.kind_1bhk",
  "2bhk": "ui.kind_2bhk",
  "3bhk": "ui.kind_3bhk",
  "1bhk_apartment": "ui.kind_1bhk",
  "2bhk_apartment": "ui.kind_2bhk",
  "3bhk_apartment": "ui.kind_3bhk",
  other: "ui.kind_other",
};

/** A configuration in a few letters, from its key or its name in Spec §5. */
export function useRoomKind(): (kind: string) => string {
  const { t } = useI18n();
  return (kind) => {
    const key = kinds[kind.toLowerCase().replace(/\s+/g, "_")];
    return key ? t(key) : kind;
  };
}

/** A configuration's whole name: as Spec §5 has it in English, in the reader's words elsewhere. */
export function useRoomName(): (name: string) => string {
  const { lang } = useI18n();
  const roomKind = useRoomKind();
  return (name) => (lang === FALLBACK ? name : roomKind(name));
}
