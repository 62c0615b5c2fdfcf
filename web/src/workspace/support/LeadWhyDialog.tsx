import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { ApiError } from "../../api.ts";
import type { Why } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { fullMoment } from "../clock.ts";
import { CloseButton, Overlay } from "../Overlay.tsx";
import { Bone, Stopped } from "../TableStates.tsx";
import { useActorName } from "./actorName.ts";
import { useFieldText } from "./fieldText.ts";
import { LEAD_FIELDS, type LeadField, leadWhyQuery } from "./leadWhy.ts";
import { useSentence } from "./sentence.ts";

interface LeadWhyDialogProps {
  leadId: string;
  field: LeadField;
  onClose: () => void;
}

/** The events that set a value, the newest first, each with its actor, its request and its place in the replay. */
export function LeadWhyDialog({ leadId, field, onClose }: LeadWhyDialogProps) {
  const { t } = useI18n();
  const { label } = useFieldText();
  const [heading, choice] = [useId(), useId()];
  const [chosen, setChosen] = useState<LeadField>(field);
  const asked = useQuery(leadWhyQuery(leadId, chosen));
  const isNever = asked.error instanceof ApiError && asked.error.status === 404;
  return (
    <Overlay kind="centre" labelledBy={heading} onClose={onClose}>
      <div className="dlg why-dlg">
        <header>
          <h2 id={heading}>{t("support.why_field", { field: label("lead", chosen) })}</h2>
          <CloseButton onClose={onClose} />
        </header>
        <div className="body pad-b">
          <label className="vh" htmlFor={choice}>
            {t("support.field")}
          </label>
          <select
            id={choice}
            className="field"
            data-first
            value={chosen}
            onChange={(event) => setChosen(LEAD_FIELDS.find((one) => one === event.target.value) ?? "status")}
          >
            {LEAD_FIELDS.map((one) => (
              <option key={one} value={one}>
                {label("lead", one)}
              </option>
            ))}
          </select>
          {asked.error === null || isNever ? null : (
            <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
          )}
          {isNever ? <p className="muted">{t("why.never")}</p> : null}
          {asked.isPending ? <Waiting /> : null}
          {asked.data === undefined || isNever ? null : <Causes leadId={leadId} why={asked.data} onGo={onClose} />}
        </div>
      </div>
    </Overlay>
  );
}

function Waiting() {
  const { t } = useI18n();
  return (
    <div aria-busy="true">
      <p className="vh" role="status">
        {t("why.loading")}
      </p>
      <Bone width={240} />
    </div>
  );
}

function Causes({ leadId, why, onGo }: { leadId: string; why: Why; onGo: () => void }) {
  const { t, lang } = useI18n();
  const { value } = useFieldText();
  const sentence = useSentence();
  const actorName = useActorName();
  const told = ({ from, to }: Why["causes"][number]) => {
    const words = (stored: string) => value(why.stream, why.field, stored);
    if (to === null) return from === null ? null : t("why.unset", { from: words(from) });
    return from === null ? t("why.first", { to: words(to) }) : t("why.from_to", { from: words(from), to: words(to) });
  };
  return (
    <>
      <p className="sub" role="status">
        {t("why.set_by", { n: why.causes.length })}
      </p>
      <ol className="why-list">
        {why.causes.toReversed().map((cause) => (
          <li key={cause.n}>
            <p>{sentence(cause)}</p>
            <p>{told(cause)}</p>
            <p className="sub">
              {actorName(cause.actor)} · {fullMoment(cause.recorded_at, lang)}
            </p>
            <p className="sub mono">{t("why.request", { id: cause.correlation_id })}</p>
            <Link
              className="link"
              to="/workspace/leads/$leadId"
              params={{ leadId }}
              search={{ v: cause.n }}
              onClick={onGo}
            >
              {t("why.in_history", { n: cause.n })}
            </Link>
          </li>
        ))}
      </ol>
    </>
  );
}
