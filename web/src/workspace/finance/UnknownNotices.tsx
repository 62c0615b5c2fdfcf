import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import type { DismissReason, UnknownNotice } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { spaceAfter } from "../../i18n/sentences.ts";
import { toast } from "../../ui/toast.tsx";
import { writeMoney } from "../amounts.ts";
import { fullMoment } from "../clock.ts";
import { DecisionDialog } from "../DecisionDialog.tsx";
import { dismissNotice, matchNotice, unknownQuery } from "../queries.ts";
import { Stopped } from "../TableStates.tsx";
import { useOnePress } from "../useOnePress.ts";
import { useProviderWords } from "./providerWords.ts";

/** Notices of the provider that were set aside: those that name no payment, and those that do not fit the one they name. */
export function UnknownNotices() {
  const { t } = useI18n();
  const asked = useQuery(unknownQuery);
  const misfits = asked.data?.filter((notice) => notice.names_payment) ?? [];
  const strays = asked.data?.filter((notice) => !notice.names_payment) ?? [];
  return (
    <section aria-labelledby="unknown">
      <h2 id="unknown">{t("provider.unknown")}</h2>
      {asked.error === null ? null : (
        <Stopped error={asked.error} fetchedAt={asked.dataUpdatedAt} onRetry={() => void asked.refetch()} />
      )}
      {asked.data !== undefined && strays.length === 0 ? <p className="sub">{t("provider.unknown_none")}</p> : null}
      <NoticeList notices={strays} />
      {misfits.length === 0 ? null : (
        <>
          <h2>{t("provider.misfit")}</h2>
          <p className="sub">{t("provider.misfit_text")}</p>
          <NoticeList notices={misfits} />
        </>
      )}
    </section>
  );
}

function NoticeList({ notices }: { notices: UnknownNotice[] }) {
  return (
    <ul className="rm-list">
      {notices.map((notice) => (
        <li key={notice.id}>
          <Notice notice={notice} />
        </li>
      ))}
    </ul>
  );
}

const amountOf = (notice: UnknownNotice) =>
  notice.amount_minor === null ? "—" : writeMoney(notice.amount_minor, notice);

function Notice({ notice }: { notice: UnknownNotice }) {
  const { t, lang } = useI18n();
  const words = useProviderWords();
  const [asking, setAsking] = useState<"match" | "dismiss" | null>(null);
  const close = () => setAsking(null);
  return (
    <article className="rm-one ill">
      <header>
        <h3 className="num">{amountOf(notice)}</h3>
        <p className="sub num grow">
          {words.notice(notice.kind)} · {fullMoment(notice.told_at ?? notice.received_at, lang)} ·{" "}
          <span className="mono">{notice.object_id}</span>
        </p>
        <button type="button" className="btn sm" onClick={() => setAsking("match")}>
          {t("provider.match")}
        </button>
        <button type="button" className="btn sm" onClick={() => setAsking("dismiss")}>
          {t("provider.dismiss")}
        </button>
      </header>
      <WhySetAside notice={notice} />
      {notice.metadata_names === "" ? null : (
        <p className="muted">{t("provider.metadata", { names: notice.metadata_names })}</p>
      )}
      {asking === "match" ? <MatchDialog notice={notice} onClose={close} /> : null}
      {asking === "dismiss" ? <DismissDialog notice={notice} onClose={close} /> : null}
    </article>
  );
}

/** Why the notice waits, which payment it named, and what to do about it; nothing for one of before reasons were kept. */
function WhySetAside({ notice: { set_aside, named_payment_id, named_reference } }: { notice: UnknownNotice }) {
  const { t } = useI18n();
  if (set_aside === null) return null;
  return (
    <>
      <p>
        {t(`provider.aside_${set_aside}`)}
        {named_payment_id === null || named_reference === null ? null : (
          <>
            {spaceAfter(t(`provider.aside_${set_aside}`))}
            <Link className="quiet-link" to="/workspace/finance" search={{ payment: named_payment_id }}>
              {t("provider.aside_named", { reference: named_reference })}
            </Link>
          </>
        )}
      </p>
      <p className="sub">{t(`provider.aside_do_${set_aside}`)}</p>
    </>
  );
}

interface DialogProps {
  notice: UnknownNotice;
  onClose: () => void;
}

/** One press that decides about a notice, after which the lists are read again. */
function useDecision(decide: () => Promise<unknown>, onClose: () => void) {
  const { t } = useI18n();
  const client = useQueryClient();
  return useOnePress({
    mutationFn: decide,
    onSuccess: () => {
      toast(t("provider.decided"));
      onClose();
      void client.invalidateQueries({ queryKey: ["provider"] });
    },
    onSettled: () => client.invalidateQueries({ queryKey: unknownQuery.queryKey }),
  });
}

function MatchDialog({ notice, onClose }: DialogProps) {
  const { t } = useI18n();
  const [field, problem] = [useId(), useId()];
  const [payment, setPayment] = useState("");
  const matching = useDecision(() => matchNotice(notice.id, payment.trim()), onClose);
  return (
    <DecisionDialog
      title={t("provider.match_title", { amount: amountOf(notice) })}
      press={matching}
      go={t("provider.match_now")}
      ready={payment.trim() !== ""}
      problemId={problem}
      onClose={onClose}
    >
      <p>{t("provider.match_text")}</p>
      <label className="label" htmlFor={field}>
        {t("provider.match_field")}
      </label>
      <input
        id={field}
        className="field"
        data-first
        required
        placeholder="P-0123ABCD"
        value={payment}
        onChange={(event) => setPayment(event.target.value)}
        aria-invalid={matching.error !== null}
        aria-describedby={matching.error === null ? undefined : problem}
      />
    </DecisionDialog>
  );
}

const STRAY_REASONS = ["other_system", "test", "returned"] as const satisfies readonly DismissReason[];
/** Nothing was booked, so nothing is sent back. */
const MISFIT_REASONS = ["payment_checked", "other_system", "test"] as const satisfies readonly DismissReason[];

function DismissDialog({ notice, onClose }: DialogProps) {
  const { t } = useI18n();
  const isMisfit = notice.names_payment;
  const [reason, setReason] = useState<DismissReason | null>(null);
  const dismissing = useDecision(() => dismissNotice(notice.id, reason ?? "test"), onClose);
  return (
    <DecisionDialog
      title={t(isMisfit ? "provider.dismiss_misfit_title" : "provider.dismiss_title", { amount: amountOf(notice) })}
      press={dismissing}
      go={t("provider.dismiss_now")}
      ready={reason !== null}
      onClose={onClose}
    >
      <fieldset className="why">
        <legend>{t(isMisfit ? "provider.dismiss_misfit_text" : "provider.dismiss_text")}</legend>
        {(isMisfit ? MISFIT_REASONS : STRAY_REASONS).map((one) => (
          <label key={one}>
            <input type="radio" name="reason" checked={reason === one} onChange={() => setReason(one)} />{" "}
            {t(`provider.reason_${one}`)}
          </label>
        ))}
      </fieldset>
    </DecisionDialog>
  );
}
