import { useEffect, useState } from "react";
import { ApiError, get, put } from "../../api.ts";
import type { Lang, MessageSettings, MessageWay, User } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { pageLanguages } from "../../i18n/languages.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { ownName } from "../../ui/languageTable.ts";
import { toast } from "../../ui/toast.tsx";
import { Check, Tiles } from "../ui/field.tsx";
import { Outline } from "../ui/skeleton.tsx";

/** A language that messages are written in; `own`: the one of what the message is about. */
type Language = "own" | Lang;

type Loaded = { state: "loading" } | { state: "failed" } | { state: "there"; settings: MessageSettings };

/** Which messages a person wants, in which language and by which way (D137). */
export function MessageChoice({ user }: { user: User }) {
  const { t } = useI18n();
  const { loaded, load, setSettings } = useSettings();
  return (
    <section className="card pad account" aria-labelledby="messages-title">
      <h2 className="t-18" id="messages-title">
        {t("messages.title")}
      </h2>
      {loaded.state === "loading" ? <Coming user={user} /> : null}
      {loaded.state === "failed" ? (
        <div className="stack g16">
          <Banner kind="error">{t("messages.failed")}</Banner>
          <Button onClick={load}>{t("messages.try_again")}</Button>
        </div>
      ) : null}
      {loaded.state === "there" ? <Choice settings={loaded.settings} onSaved={setSettings} /> : null}
    </section>
  );
}

/** The choice as it will stand there: who has no phone is offered one way. */
function Coming({ user }: { user: User }) {
  const { t } = useI18n();
  const channels: MessageWay[] = user.phone ? ["email", "sms", "whatsapp"] : ["email"];
  return (
    <div aria-busy="true">
      <p className="vh" role="status">
        {t("messages.loading")}
      </p>
      <Outline>
        <Choice settings={{ reminders: false, language: null, channel: "email", channels }} onSaved={() => undefined} />
      </Outline>
    </div>
  );
}

function useSettings() {
  const [loaded, setLoaded] = useState<Loaded>({ state: "loading" });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    const leaving = new AbortController();
    get("/api/v0/users/message_settings", { signal: leaving.signal, fresh: true }).then(
      (settings) => setLoaded({ state: "there", settings }),
      () => {
        if (!leaving.signal.aborted) setLoaded({ state: "failed" });
      },
    );
    return () => leaving.abort();
  }, [round]);
  const load = () => {
    setLoaded({ state: "loading" });
    setRound((last) => last + 1);
  };
  return { loaded, load, setSettings: (settings: MessageSettings) => setLoaded({ state: "there", settings }) };
}

function Choice({ settings, onSaved }: { settings: MessageSettings; onSaved: (settings: MessageSettings) => void }) {
  const { t } = useI18n();
  const [reminders, setReminders] = useState(settings.reminders);
  const [language, setLanguage] = useState<Language>(languageOf(settings));
  const [channel, setChannel] = useState<MessageWay>(settings.channel);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const save = async () => {
    setBusy(true);
    setTrouble(null);
    try {
      const chosen = { reminders, language: language === "own" ? null : language, channel };
      onSaved(await put("/api/v0/users/message_settings", { body: chosen }));
      toast(t("messages.saved"));
    } catch (failure) {
      const field = failure instanceof ApiError ? failure.fields[0]?.message : undefined;
      setTrouble(field ?? t("messages.not_saved"));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="stack g16">
      <Check checked={reminders} onChange={(event) => setReminders(event.target.checked)}>
        {t("messages.reminders")}
      </Check>
      <p className="soft">{t("messages.always")}</p>
      <Tiles<Language>
        legend={t("messages.language")}
        name="message-language"
        value={language}
        options={[
          { value: "own", label: t("messages.language_own") },
          ...pageLanguages().map(([tag]) => ({ value: tag, label: ownName(tag) })),
        ]}
        onChange={setLanguage}
      />
      <Tiles<MessageWay>
        legend={t("messages.channel")}
        name="message-channel"
        value={channel}
        options={settings.channels.map((value) => ({ value, label: t(`messages.channel_${value}`) }))}
        onChange={setChannel}
      />
      {settings.channels.length === 1 ? <p className="soft">{t("messages.channel_needs_phone")}</p> : null}
      {trouble === null ? null : <Banner kind="error">{trouble}</Banner>}
      <div>
        <Button look="primary" busy={busy} onClick={() => void save()}>
          {t("messages.save")}
        </Button>
      </div>
    </div>
  );
}

function languageOf({ language }: MessageSettings): Language {
  return pageLanguages().find(([tag]) => tag === language)?.[0] ?? "own";
}
