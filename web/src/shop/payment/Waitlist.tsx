import { useEffect, useState } from "react";
import { ApiError } from "../../api.ts";
import type { Payment, WaitlistView } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { useNow } from "./Hold.tsx";
import { joinWaitlist, leaveWaitlist, readWaitlist } from "./waitlistCalls.ts";
import { servedOrder } from "./waitlistOrder.ts";

/** How often the place is asked for: an offer is good for half an hour. */
const LOOK_AGAIN_MS = 5_000;

interface WaitlistProps {
  payment: Payment;
  /** Where the next payment of this enquiry is opened; null where this reader may not go on with it. */
  again: string | null;
  /** The room is free: there is nothing to wait for. */
  isFree: boolean;
}

/** The place of a payer who found no room: number, who is before, and the offer once it is their turn. */
export function Waitlist({ payment, again, isFree }: WaitlistProps) {
  const { t } = useI18n();
  const { view: told, failed, read, change } = useWaitlist(payment.token);
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
      <Standing view={view} again={again} />
      <Acts view={view} token={payment.token} change={change} />
      <Order view={view} />
    </section>
  );
}

function useWaitlist(token: string) {
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

function Standing({ view, again }: { view: WaitlistView; again: string | null }) {
  const { t } = useI18n();
  const now = useNow();
  const { place } = view;
  if (place === null) return null;
  if (place.state === "offered" && place.offered_until !== null) {
    return (
      <>
        <p className="t-18 m" role="status">
          {t("stay.wait_offered", { time: left(place.offered_until, now) })}
        </p>
        {again === null ? null : (
          <ButtonLink look="primary" href={again}>
            {t("stay.wait_take")}
          </ButtonLink>
        )}
      </>
    );
  }
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
  const copy = (text: string) => {
    navigator.clipboard.writeText(text).then(
      () => toast(t("stay.wait_copied")),
      () => toast(text, "error"),
    );
  };
  return (
    <div className="row wrapx">
      {view.can_join ? (
        <Button look="primary" disabled={busy} onClick={() => press(joinWaitlist)}>
          {t(busy ? "stay.wait_joining" : "stay.wait_join")}
        </Button>
      ) : null}
      {place === null ? null : (
        <>
          <Button onClick={() => copy(place.token)}>{t("stay.wait_copy")}</Button>
          {place.number === null ? null : (
            <Button disabled={busy} onClick={() => press(leaveWaitlist)}>
              {t("stay.wait_leave")}
            </Button>
          )}
          <p className="t-14 muted">{t("stay.wait_token_note", { position: place.position })}</p>
        </>
      )}
    </div>
  );
}

/** Who is next, in the order in which rooms are offered; below it the places that are over. */
function Order({ view }: { view: WaitlistView }) {
  const { t } = useI18n();
  if (view.place === null) return null;
  const { next, over } = servedOrder(view.order);
  return (
    <details>
      <summary>{t("stay.wait_order")}</summary>
      <ol className="stack g8 wait-order">
        {next.map((line) => (
          <li key={line.position} className={line.is_own ? "m" : undefined}>
            {t("stay.wait_number", { number: line.number })} · <PlaceMarks line={line} />
          </li>
        ))}
      </ol>
      {over.length === 0 ? null : (
        <>
          <p className="t-14 m wait-order">{t("stay.wait_over")}</p>
          <ul className="stack g8 t-14 soft wait-order">
            {over.map((line) => (
              <li key={line.position}>
                <PlaceMarks line={line} />
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}

/** What everybody may know of a place: whose it is to its own reader, whether staff moved it, how it stands, and where in the log. */
function PlaceMarks({ line }: { line: WaitlistView["order"][number] }) {
  const { t } = useI18n();
  const marks = [
    line.is_own ? t("stay.wait_own") : null,
    line.is_override ? t("stay.wait_override") : null,
    t(`stay.wait_state_${line.state}`),
    t("stay.wait_line", { position: line.position }),
  ];
  return <>{marks.filter((mark) => mark !== null).join(" · ")}</>;
}
