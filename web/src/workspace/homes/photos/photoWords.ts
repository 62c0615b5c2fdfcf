import type { ActorRef } from "../../../contract/wire.ts";
import { useI18n } from "../../../i18n/i18n.tsx";
import { FALLBACK, pageLanguages } from "../../../i18n/languages.ts";
import { plainDay } from "../../clock.ts";
import type { HomePhoto } from "./photoCalls.ts";
import { readKind } from "./photoDraft.ts";

/** Languages in which a photo can be described: those of pages, and those in which it already is. */
export function listPhotoLanguages({ caption, alt }: Pick<HomePhoto, "caption" | "alt">): string[] {
  return [...new Set([...pageLanguages().map(([tag]) => tag), ...Object.keys(caption), ...Object.keys(alt)])];
}

/** A photo as staff call it: by its caption, else by what it shows. */
export function usePhotoName(): (photo: Pick<HomePhoto, "caption" | "kind">) => string {
  const { t, lang } = useI18n();
  return ({ caption, kind: word }) => {
    const kind = readKind(word);
    const said = caption[lang] ?? caption[FALLBACK] ?? Object.values(caption)[0];
    return said ?? (kind === null ? t("homes.photo") : t(`homes.photo_kind_${kind}`));
  };
}

/** Where a photo comes from, and why it is not shown where it is not: a line each. */
export function usePhotoLines(): (photo: HomePhoto) => { state: string[]; source: string } {
  const { t, lang } = useI18n();
  const day = (at: string) => plainDay(at, lang);
  const nameSource = ({ source, host }: HomePhoto): string => {
    const at = source.at === null ? "" : day(source.at);
    const by = source.kind === "feed" ? (source.feed ?? t("homes.a_feed")) : namePerson(source.by);
    return [by, at, host].filter((part) => part !== null && part !== "").join(" · ");
  };
  const namePerson = (by: ActorRef | null) => by?.label || t("homes.by_staff");
  return (photo) => {
    const { state, why, tried_at, next_try_at, taken_down_at, restorable_until } = photo;
    const lines = [
      state === "waiting" ? t("homes.photo_waiting") : null,
      state === "refused" ? (why ?? t("homes.photo_refused")) : null,
      state === "dead" ? (why ?? t("homes.photo_dead")) : null,
      (state === "dead" || state === "refused") && tried_at !== null
        ? t("homes.photo_tried", { day: day(tried_at) })
        : null,
      state === "dead" && next_try_at !== null ? t("homes.photo_next_try", { day: day(next_try_at) }) : null,
      state === "taken_down"
        ? taken_down_at === null
          ? t("homes.photo_state_taken_down")
          : t("homes.photo_taken_down_on", { day: day(taken_down_at) })
        : null,
      state === "taken_down" && restorable_until !== null
        ? t("homes.photo_restorable", { day: day(restorable_until) })
        : null,
    ];
    return { state: lines.filter((line) => line !== null), source: nameSource(photo) };
  };
}

/** The id of the button that lifts a photo. */
export const handleId = (key: string) => `lift-${key}`;
