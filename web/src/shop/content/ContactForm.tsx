import { type FormEvent, useEffect, useRef, useState } from "react";
import { ApiError, newKey, post } from "../../api.ts";
import type { ContactForm as FormName } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Link } from "../Link.tsx";
import { postAsPerson } from "../proof.ts";
import { emailFault, nameFault } from "../ui/contact.ts";
import { TextAreaField, TextField } from "../ui/field.tsx";
import { Rich } from "../ui/rich.tsx";
import { Trap } from "../ui/trap.tsx";

/** What a form says where the forms differ. */
const words: Record<FormName, { title: MessageKey; organisation: MessageKey | null; message: MessageKey }> = {
  contact: { title: "content.form_contact", organisation: null, message: "content.message" },
  partner: {
    title: "content.form_partner",
    organisation: "content.company",
    message: "content.message_partner",
  },
  group_booking: {
    title: "content.form_group",
    organisation: "content.group",
    message: "content.message_group",
  },
  university_partnerships: {
    title: "content.form_university",
    organisation: "content.university",
    message: "content.message_university",
  },
};

interface Typed {
  name: string;
  email: string;
  organisation: string;
  words: string;
  website: string;
}

const NOTHING: Typed = { name: "", email: "", organisation: "", words: "", website: "" };

/** A form of a page of words: what it sends is a case that the house answers by e-mail. */
export function ContactForm({ form }: { form: FormName }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <section className="words-form card pad" aria-labelledby="words-form">
      {sentTo === null ? <Asking form={form} onSent={setSentTo} /> : <Sent to={sentTo} />}
    </section>
  );
}

function Sent({ to }: { to: string }) {
  const { t } = useI18n();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <div className="stack g8" role="status">
      <h2 className="t-22" id="words-form" ref={title} tabIndex={-1}>
        {t("content.sent_title")}
      </h2>
      <p>{t("content.sent", { email: to })}</p>
    </div>
  );
}

/** A message while it is typed and sent: its faults as its fields say them, and what became of it. */
function useMessage(form: FormName, onSent: (to: string) => void) {
  const { t } = useI18n();
  const [typed, setTyped] = useState(NOTHING);
  /** Of the message that is being sent: the same words again are the same message. */
  const key = useRef<string | null>(null);
  const [isChecked, setChecked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const change = (changed: Partial<Typed>) => {
    setTyped({ ...typed, ...changed });
    key.current = null;
    setFailure(null);
  };
  const missing: MessageKey | null = typed.words.trim() === "" ? "content.fault_message" : null;
  const faults = { name: nameFault(typed.name), email: emailFault(typed.email), words: missing };
  const said = (field: keyof typeof faults | "organisation"): string | null => {
    const ours = field === "organisation" ? null : faults[field];
    if (isChecked && ours) return t(ours);
    const refused = failure instanceof ApiError ? failure.fields.find((one) => one.field === field) : undefined;
    return refused?.message ?? null;
  };
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (busy || faults.name || faults.email || faults.words) return;
    setBusy(true);
    setFailure(null);
    key.current ??= newKey();
    const { organisation, website, ...rest } = typed;
    const body = { form, ...rest, ...(organisation && { organisation }), ...(website && { website }) };
    try {
      const sent = await postAsPerson("lead_submission", key.current, (proven) =>
        post("/api/v0/contact", { body, ...proven }),
      );
      onSent(sent.email);
    } catch (trouble) {
      setFailure(trouble);
      setBusy(false);
    }
  };
  return { typed, change, said, send, busy, failure };
}

function Asking({ form, onSent }: { form: FormName; onSent: (to: string) => void }) {
  const { t } = useI18n();
  const message = useMessage(form, onSent);
  return (
    <form className="stack g16" noValidate onSubmit={(event) => void message.send(event)}>
      <h2 className="t-22" id="words-form">
        {t(words[form].title)}
      </h2>
      <MessageFields form={form} message={message} />
      {message.failure === null ? null : (
        <Banner kind="error">{troubleOf(message.failure) ?? t("content.not_sent")}</Banner>
      )}
      <div>
        <Button look="primary" size="large" type="submit" busy={message.busy}>
          {t("content.send")}
        </Button>
      </div>
      <p className="t-14 muted">
        <Rich k="content.use" nodes={{ privacy: <Link href="/privacy">{t("content.privacy")}</Link> }} />
      </p>
    </form>
  );
}

function MessageFields({ form, message }: { form: FormName; message: ReturnType<typeof useMessage> }) {
  const { t } = useI18n();
  const { typed, change, said } = message;
  const { organisation } = words[form];
  return (
    <div className="words-fields">
      <TextField
        label={t("content.name")}
        autoComplete="name"
        value={typed.name}
        error={said("name")}
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextField
        label={t("content.email")}
        type="email"
        autoComplete="email"
        value={typed.email}
        error={said("email")}
        onChange={(event) => change({ email: event.target.value })}
      />
      {organisation === null ? null : (
        <TextField
          className="words-wide"
          label={t(organisation)}
          optional
          autoComplete="organization"
          value={typed.organisation}
          error={said("organisation")}
          onChange={(event) => change({ organisation: event.target.value })}
        />
      )}
      <TextAreaField
        className="words-wide"
        label={t(words[form].message)}
        rows={5}
        maxLength={4000}
        value={typed.words}
        error={said("words")}
        onChange={(event) => change({ words: event.target.value })}
      />
      <Trap value={typed.website} onChange={(website) => change({ website })} />
    </div>
  );
}

/** What the server says of a refused message. */
function troubleOf(failure: unknown): string | null {
  return failure instanceof ApiError && failure.kind === "refused" ? failure.message : null;
}
