import type { WaitlistView } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import { servedOrder } from "./waitlistOrder.ts";

/** The proof of a place: who is next, in the order in which rooms are offered, the places that are over, and the place's own token. */
export function WaitProof({ view }: { view: WaitlistView }) {
  const { t } = useI18n();
  const { place } = view;
  if (place === null) return null;
  const { next, over } = servedOrder(view.order);
  const copy = () => {
    navigator.clipboard.writeText(place.token).then(
      () => toast(t("stay.wait_copied")),
      () => toast(place.token, "error"),
    );
  };
  return (
    <details>
      <summary>{t("stay.wait_proof")}</summary>
      <p className="t-14 muted">{t("stay.wait_token_note", { position: place.position })}</p>
      <p>
        <Button onClick={copy}>{t("stay.wait_copy")}</Button>
      </p>
      <p className="t-14 m">{t("stay.wait_order")}</p>
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
