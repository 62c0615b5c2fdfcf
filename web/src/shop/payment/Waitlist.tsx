import { useEffect, useState } from "react";
import { ApiError } from "../../api.ts";
import type { Payment, WaitlistView } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import { joinWaitlist } from "../ui/enterWaitlist.ts";
import { useNow } from "./Hold.tsx";
import { WaitProof } from "./WaitProof.tsx";
import { leaveWaitlist, readWaitlist } from "./waitlistCalls.ts";

/** How often the place is asked for. */
const LOOK_AGAIN_MS = 5_000;

interface WaitlistProps {
  payment: Payment;
  waitlist: ReturnType<typeof useWaitlist>;
  /** The room is free: there is nothing to wait for. */
  isFree: boolean;
}

/** The place of a payer who found no room: the one way to wait for it, then their number. */
export function Waitlist({ payment, waitlist, isFree }: WaitlistProps) {
  const { t } = useI18n();
  const { view: told, failed, read, change } = waitlist;
  const view = told === null ? null : { ...told, can_join: told.can_join && !isFree };
  if (view === null && failed) {
    return (
      <section className="card stack g12" style={{ marginTop: 24, padding: 20 }}>
        <p role="alert">{t("stay.wait_failed")}</p>
        <Button onClick={read}>{t("stay.try_again")}</Button>
      </section>
    );
  }
  if (view === null || (!view.can_join && view.place === null)) return null;
  return (
    <section className="card stack g12" style={{ marginTop: 24, padding: 20 }} data-waitlist>
      <h2 className="flow-part" style={{ margin: 0 }}>
        {t("stay.wait_title")}
      </h2>
      <p className="soft">{t("stay.wait_intro")}</p>
      <Standing view={view} />
      <Acts view={view} token={payment.token} change={change} />
      <WaitProof view={view} />
    </section>
  );
}

/** The waitlist as it stands, read again and again: a turn may come while the page is open. */
export function useWaitlist(token: string) {
  const [view, setView] = useState<WaitlistView | null>(null);
  const [failed, setFailed] = useState(false);
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` reads anew
  useEffect(() => {
    const leaving = new AbortController();
    const look = () =>
      readWaitlist(token, leaving.signal).then(
        (seen) => {
          setView(seen);
          setFailed(false);
        },
        () => leaving.signal.aborted || setFailed(true),
      );
    void look();
    const timer = setInterval(() => void look(), LOOK_AGAIN_MS);
    return () => {
      clearInterval(timer);
      leaving.abort();
    };
  }, [token, asked]);
  return { view, failed, read: () => setAsked((n) => n + 1), change: setView };
}

function Standing({ view }: { view: WaitlistView }) {
  const { t } = useI18n();
  const now = useNow();
  const { place } = view;
  // A turn has a screen of its own.
  if (place === null || place.state === "offered") return null;
  if (place.state !== "waiting") return <p role="status">{t(`stay.wait_${place.state}`)}</p>;
  const [first] = view.holds_end;
  return (
    <div role="status">
      <p className="t-18 m">{t("stay.wait_you_are", { number: place.number ?? 0 })}</p>
      <p className="soft">
        {first === undefined
          ? t("stay.wait_no_holds")
          : t("stay.wait_holds", { n: view.holds_end.length, time: left(first, now) })}
      </p>
    </div>
  );
}

/** `04:12` until then. */
function left(until: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}

interface ActsProps {
  view: WaitlistView;
  token: string;
  change: (view: WaitlistView) => void;
}

function Acts({ view, token, change }: ActsProps) {
  const { t } = useI18n();
  const [busy, setBusy] = useState(false);
  const { place } = view;
  const press = (call: (token: string) => Promise<WaitlistView>) => {
    setBusy(true);
    call(token)
      .then(change, (error: unknown) => {
        // Who waits for too many rooms reads which one to leave, not that a field is wrong.
        const told = error instanceof ApiError ? (error.fields[0]?.message ?? error.message) : t("stay.wait_failed");
        toast(told, "error");
      })
      .finally(() => setBusy(false));
  };
  return (
    <div className="row wrapx">
      {view.can_join ? (
        <Button look="primary" disabled={busy} onClick={() => press(joinWaitlist)}>
          {t(busy ? "stay.wait_joining" : "stay.wait_join")}
        </Button>
      ) : null}
      {place === null || place.number === null ? null : (
        <Button disabled={busy} onClick={() => press(leaveWaitlist)}>
          {t("stay.wait_leave")}
        </Button>
      )}
    </div>
  );
}
