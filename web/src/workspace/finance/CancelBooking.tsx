import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { newKey } from "../../api.ts";
import type { PaymentDossier } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { toast } from "../../ui/toast.tsx";
import { FailureNote } from "../FailureNote.tsx";
import { dropKeptWords, useKeptWords } from "../keptDraft.ts";
import { cancelBooking, waitingQuery } from "../queries.ts";
import { useOnePress } from "../useOnePress.ts";
import { RequestNote } from "./RefundRequests.tsx";

/** Ends a booking that was kept while all of its money went back: no refund can cancel it any more. */
export function CancelBooking({ dossier }: { dossier: PaymentDossier }) {
  const { t } = useI18n();
  const field = useId();
  const client = useQueryClient();
  const [intent] = useState(newKey);
  const about = `cancel/${dossier.payment_id}`;
  const [reason, setReason] = useKeptWords(about);
  // Support may have asked for the cancellation: the one that is sent names the request and closes it.
  const waiting = useQuery({ ...waitingQuery, staleTime: 0 });
  const requests = waiting.data?.decisions.map((one) => one.request) ?? [];
  const request = requests.find((one) => one?.payment_id === dossier.payment_id && one.ends_booking) ?? null;
  const ask = request === null ? {} : { ask_id: request.ask_id };
  const sending = useOnePress({
    mutationFn: (why: string) => cancelBooking(dossier.payment_id, { reason: why, ...ask }, intent),
    onSuccess: () => {
      dropKeptWords(about);
      toast(t("finance.booking_is_cancelled"));
      void client.invalidateQueries({ queryKey: ["dossier", dossier.payment_id] });
      void client.invalidateQueries({ queryKey: ["audit"] });
      void client.invalidateQueries({ queryKey: waitingQuery.queryKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() !== "") sending.send(reason.trim());
  };
  return (
    <form onSubmit={submit}>
      <h3>{t("finance.cancel_booking")}</h3>
      <p className="sub">{t("finance.cancel_booking_note")}</p>
      {request === null ? null : <RequestNote request={request} />}
      <label className="label" htmlFor={field}>
        {t("finance.why")}
      </label>
      <textarea
        id={field}
        className="area"
        maxLength={400}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <FailureNote error={sending.error} />
      <button type="submit" className="btn" disabled={reason.trim() === "" || sending.isPending || waiting.isPending}>
        {t("finance.cancel_booking")}
      </button>
    </form>
  );
}
