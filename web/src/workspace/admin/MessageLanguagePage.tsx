import "./admin.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import type { MessageSettings } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { FALLBACK, pageLanguages } from "../../i18n/languages.ts";
import { ownName } from "../../ui/languageTable.ts";
import { toast } from "../../ui/toast.tsx";
import { FailureNote } from "../FailureNote.tsx";
import { Icon } from "../icon.tsx";
import { LabelledField } from "../LabelledField.tsx";
import { Bone, Stopped } from "../TableStates.tsx";
import { useOnePress } from "../useOnePress.ts";
import { chooseMessages, messageSettingsQuery } from "./adminCalls.ts";

/** The language in which a member of staff is written to: mentions, overdue replies, segments, login codes. */
export function MessageLanguagePage() {
  const { t } = useI18n();
  const asked = useQuery(messageSettingsQuery);
  useEffect(() => {
    document.title = `${t("workspace.message_language")} · ${t("workspace.title")}`;
  }, [t]);
  return (
    <main className="main" id="work">
      <div className="lead-top">
        <h1>{t("workspace.message_language")}</h1>
      </div>
      <div className="scroll rm" data-list-scroll>
        <p className="muted">{t("messages.staff_text")}</p>
        {asked.error === null ? null : (
          <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
        )}
        {asked.data === undefined ? asked.error === null ? <Bone width={240} /> : null : <Choice chosen={asked.data} />}
      </div>
    </main>
  );
}

function Choice({ chosen }: { chosen: MessageSettings }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [language, setLanguage] = useState(chosen.language ?? "");
  const press = useOnePress({
    mutationFn: () =>
      chooseMessages({
        reminders: chosen.reminders,
        channel: chosen.channel,
        language: language === "" ? null : language,
      }),
    onSuccess: (settings) => {
      client.setQueryData(messageSettingsQuery.queryKey, settings);
      toast(t("messages.saved"));
    },
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    press.send();
  };
  return (
    <form className="second-step" onSubmit={save}>
      <LabelledField label={t("workspace.message_language")} fault={undefined}>
        {(its) => (
          <div className="field sel">
            <select {...its} value={language} onChange={(event) => setLanguage(event.target.value)}>
              <option value="">{t("messages.staff_own", { language: ownName(FALLBACK) })}</option>
              {pageLanguages().map(([tag]) => (
                <option key={tag} value={tag}>
                  {ownName(tag)}
                </option>
              ))}
            </select>
            <Icon name="down" size="s" />
          </div>
        )}
      </LabelledField>
      <FailureNote error={press.error} />
      <div className="row">
        <button type="submit" className="btn pri" disabled={press.isPending}>
          {t("messages.save")}
        </button>
      </div>
    </form>
  );
}
