import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useI18n } from "../../../i18n/i18n.tsx";
import { FALLBACK } from "../../../i18n/languages.ts";
import { toast } from "../../../ui/toast.tsx";
import { DecisionDialog } from "../../DecisionDialog.tsx";
import { Icon } from "../../icon.tsx";
import { languageName } from "../../languageName.ts";
import { useIntent } from "../../useIntent.ts";
import { useOnePress } from "../../useOnePress.ts";
import {
  type HouseText,
  publishDraft,
  type StepAsked,
  type TextPlace,
  takeBack,
  textQuery,
  textsQuery,
} from "../contentCalls.ts";
import { isLegal, listAffected } from "../textStates.ts";

interface StepDialogProps {
  place: TextPlace;
  text: HouseText;
  onClose: () => void;
}

/** Says what publishing changes for readers, and what stays. */
export function PublishDialog({ place, text, onClose }: StepDialogProps) {
  const { t, lang } = useI18n();
  const press = useStep({ place, text }, publishDraft, t("house_texts.published_now"), onClose);
  const { data } = useQuery(textsQuery);
  const next = (text.versions[0]?.number ?? 0) + 1;
  const nameAll = (tags: readonly string[]) =>
    tags.map((tag) => languageName(tag, lang)).join(t("workspace.list_mark"));
  const { older, missing } = listAffected(data ?? [], place, FALLBACK);
  const before = text.versions[0]?.number;
  return (
    <DecisionDialog
      title={t("house_texts.publish_title", { n: next })}
      press={press}
      go={t("house_texts.publish")}
      onClose={onClose}
    >
      <ul className="ct-then">
        <li>
          <Icon name="eye" size="s" />
          {t("house_texts.then_shown", { language: languageName(place.language, lang) })}
        </li>
        {older.length === 0 ? null : (
          <li>
            <Icon name="alert" size="s" />
            {t("house_texts.then_older", { languages: nameAll(older) })}
          </li>
        )}
        {missing.length === 0 ? null : (
          <li>
            <Icon name="alert" size="s" />
            {t("house_texts.then_missing", { languages: nameAll(missing) })}
          </li>
        )}
        <li>
          <Icon name="replay" size="s" />
          {before === undefined
            ? t("house_texts.then_default_stays")
            : t("house_texts.then_version_stays", { n: before })}
        </li>
        {isLegal(place.page) ? (
          <li>
            <Icon name="shield" size="s" />
            {t("house_texts.then_duty")}
          </li>
        ) : null}
      </ul>
    </DecisionDialog>
  );
}

/** Asks before the text that ships is shown again. */
export function TakeBackDialog({ place, text, onClose }: StepDialogProps) {
  const { t } = useI18n();
  const press = useStep({ place, text }, takeBack, t("house_texts.taken_back"), onClose);
  return (
    <DecisionDialog
      title={t("house_texts.take_back_title")}
      press={press}
      go={t("house_texts.take_back")}
      onClose={onClose}
    >
      <p>{t("house_texts.take_back_text")}</p>
    </DecisionDialog>
  );
}

type Step = (place: TextPlace, body: StepAsked, intent: string) => Promise<HouseText>;

/**
 * Sends a step over the revision that the dialog was opened on: what others changed since is not published unseen. Whatever came
 * of it, the grid and, after a refusal, the text are read anew.
 */
function useStep(
  { place, text }: Pick<StepDialogProps, "place" | "text">,
  step: Step,
  said: string,
  onDone: () => void,
) {
  const client = useQueryClient();
  const keyOf = useIntent();
  const [revision] = useState(text.revision);
  const { queryKey } = textQuery(place);
  return useOnePress<HouseText>({
    mutationFn: () => step(place, { revision }, keyOf({ revision })),
    onSuccess: (done) => {
      client.setQueryData(queryKey, done);
      toast(said);
      onDone();
    },
    onError: () => void client.invalidateQueries({ queryKey }),
    onSettled: () => void client.invalidateQueries({ queryKey: textsQuery.queryKey }),
  });
}
