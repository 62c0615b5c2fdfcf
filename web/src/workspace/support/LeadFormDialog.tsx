import type { LeadDocument, LeadForm, LeadRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { fullMoment } from "../clock.ts";
import { useFailureToast } from "../failure.ts";
import { Icon } from "../icon.tsx";
import { save } from "../savedFile.ts";
import { useOnePress } from "../useOnePress.ts";
import { answerText, inOrder, questionText } from "./formAnswer.ts";
import { makeDocumentLink, openDocument, readForm } from "./formCalls.ts";
import { RecordedLook } from "./RecordedLook.tsx";

/** Answers and documents, for a reason that is recorded in the lead's history. */
export function LeadFormDialog({ lead, onClose }: { lead: LeadRow; onClose: () => void }) {
  const { t } = useI18n();
  return (
    <RecordedLook<LeadForm>
      title={() => t("lead_form.title", { reference: lead.reference })}
      words={{
        explained: t("lead_form.explained"),
        why: t("lead_form.why"),
        show: t("lead_form.show"),
        asking: t("lead_form.asking"),
        close: t("lead_form.close"),
      }}
      leadId={lead.lead_id}
      look={(reason, intent) => readForm(lead.lead_id, reason, intent)}
      onClose={onClose}
    >
      {(form, again) => (
        <div className="pad-b">
          <Sections form={form} />
          <Documents form={form} leadId={lead.lead_id} onOpened={again} />
        </div>
      )}
    </RecordedLook>
  );
}

function Sections({ form }: { form: LeadForm }) {
  const { t, lang } = useI18n();
  const filled = form.sections.filter(({ fields }) => fields.length > 0);
  if (filled.length === 0) return <p className="muted">{t("lead_form.no_answers")}</p>;
  return filled.map(({ key, fields }) => (
    <section key={key} aria-label={t(`lead_form.section_${key}`)}>
      <h3 className="part">{t(`lead_form.section_${key}`)}</h3>
      <table className="fields now-only">
        <tbody>
          {inOrder(fields).map((field) => (
            <tr key={field.name} data-former={field.former}>
              <th scope="row">{questionText(field, t)}</th>
              <td>
                {answerText(field, form, t, lang)}{" "}
                {field.former ? (
                  <span className="chip past" title={t("lead_form.former_title")}>
                    {t("lead_form.former")}
                  </span>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  ));
}

interface DocumentsProps {
  form: LeadForm;
  leadId: string;
  onOpened: () => void;
}

function Documents({ form, leadId, onOpened }: DocumentsProps) {
  const { t } = useI18n();
  return (
    <section aria-label={t("lead_form.documents")}>
      <h3 className="part">{t("lead_form.documents")}</h3>
      {form.documents.length === 0 ? <p className="muted">{t("lead_form.no_documents")}</p> : null}
      <ul className="plain" style={{ display: "grid", gap: 12, padding: 0, listStyle: "none" }}>
        {form.documents.map((sent) => (
          <DocumentItem key={sent.id} sent={sent} leadId={leadId} onOpened={onOpened} />
        ))}
      </ul>
    </section>
  );
}

interface DocumentItemProps {
  sent: LeadDocument;
  leadId: string;
  onOpened: () => void;
}

function DocumentItem({ sent, leadId, onOpened }: DocumentItemProps) {
  const { t, lang } = useI18n();
  const tellFailure = useFailureToast();
  const name = sent.name || t("lead_form.unnamed");
  const opening = useOnePress({
    mutationFn: async () => {
      const { path } = await makeDocumentLink(leadId, sent.id, "staff");
      return openDocument(path);
    },
    onSuccess: (file) => {
      if (file === null) toast(t("lead_form.gone"), "error");
      else save(file, name);
      onOpened();
    },
    onError: tellFailure,
  });
  const linking = useOnePress({
    mutationFn: () => makeDocumentLink(leadId, sent.id, "provider"),
    onSuccess: ({ path, expires_at }) => {
      const address = new URL(path, location.origin).href;
      const time = fullMoment(expires_at, lang);
      navigator.clipboard.writeText(address).then(
        () => toast(t("lead_form.copied", { time })),
        () => toast(t("support.link_not_copied"), "error", { detail: address }),
      );
    },
    onError: tellFailure,
  });
  return (
    <li data-document={sent.id}>
      <div className="row">
        <b className="grow">{name}</b>
        <button type="button" className="btn sm" disabled={opening.isPending} onClick={() => opening.send()}>
          {t(opening.isPending ? "lead_form.opening" : "lead_form.open_document")}
        </button>
        <button type="button" className="btn sm" disabled={linking.isPending} onClick={() => linking.send()}>
          <Icon name="link" size="s" />
          {t("lead_form.for_provider")}
        </button>
      </div>
      {sent.opened.length === 0 ? <p className="sub">{t("lead_form.not_opened")}</p> : null}
      {sent.opened.map(({ by, at }) => (
        <p className="sub" key={`${by}${at}`}>
          {t(`lead_form.opened_${by}`, { time: fullMoment(at, lang) })}
        </p>
      ))}
    </li>
  );
}
