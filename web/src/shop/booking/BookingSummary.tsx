import type { BookingFormPage, PriceLock } from "../../contract/wire.ts";
import { money } from "../../i18n/format.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Icon } from "../../ui/icon.tsx";
import { dueOf, processingFee } from "../ui/fee.ts";
import { RoomLine } from "../ui/flowFrame.tsx";
import { PriceLockNote } from "../ui/priceLock.tsx";
import { usePriceText } from "../ui/priceText.ts";
import type { Booked } from "./booked.ts";

interface BookingSummaryProps {
  page: BookingFormPage;
  /** Null while no room is chosen, and where the chosen one is not let any more. */
  booked: Booked | null;
  /** The payment is made: nothing is due, and the room is what it is. */
  paid?: boolean;
  /** What the enquiry froze. */
  lock?: PriceLock | null;
  /** Absent while the room is being chosen. */
  onChange?: () => void;
}

/** What is being booked, and what it costs, beside the form. */
export function BookingSummary({ page, booked, paid = false, lock = null, onChange }: BookingSummaryProps) {
  const { t } = useI18n();
  const { property } = page;
  return (
    <aside aria-label={t("booking.summary")}>
      <div className="card sumcard">
        <RoomLine
          home={property.name}
          image={property.image.path}
          room={booked ? roomText(booked, t("ui.comma")) : property.region.name}
          lease={booked?.lease ?? null}
        />
        {booked ? <Rent booked={booked} /> : null}
        {paid ? null : <PriceLockNote lock={lock} />}
        {paid ? null : (
          <NextStep due={dueOf(page.payment_summary, booked?.deposit ?? null)} percent={page.processing_fee_percent} />
        )}
        {onChange && !paid ? (
          <button type="button" className="link t-14" style={{ marginTop: 12 }} onClick={onChange}>
            {t("booking.change_room")}
          </button>
        ) : null}
      </div>
      <p className="row t-14 soft private-note">
        <Icon name="lock" size={20} />
        <span>{t("booking.private")}</span>
      </p>
    </aside>
  );
}

/** What the next page takes, to the penny and with its fee: nothing appears late. */
function NextStep({ due: asked, percent }: { due: BookingFormPage["payment_summary"]; percent: string }) {
  const { t, lang } = useI18n();
  const due = asked.filter(({ amount }) => amount.amount_minor > 0);
  const [first] = due;
  if (!first) return null;
  const subtotal = due.reduce((sum, line) => sum + line.amount.amount_minor, 0);
  const fee = processingFee(subtotal, percent, first.amount.decimals);
  const amount = (minor: number) => money(minor, first.amount, lang, "exact");
  const lines = due.map((line) => t(`booking.due_${line.type}`, { amount: amount(line.amount.amount_minor) }));
  return (
    <div className="under">
      <p className="row between m">
        <span>{t("booking.next_step")}</span>
        <span className="t-18 b num">{amount(subtotal + fee)}</span>
      </p>
      <p className="t-14 muted">
        {fee === 0
          ? lines.join(t("ui.comma"))
          : t("booking.next_step_note", { lines: lines.join(t("ui.comma")), fee: amount(fee) })}
      </p>
    </div>
  );
}

/** "Ensuite Room, 14 m²" */
function roomText({ room, area }: Booked, comma: string): string {
  return area === null ? room : `${room}${comma}${area} m²`;
}

function Rent({ booked: { lease, rent } }: { booked: Booked }) {
  const { t, lang } = useI18n();
  const price = usePriceText();
  const weeks = lease.lease_duration_unit === "weeks";
  const sums = (rent.duration === "weekly") === weeks;
  const total = money(rent.amount_minor * lease.lease_duration, rent, lang);
  return (
    <dl className="lines t-14 under">
      <div>
        <dt>{t("booking.rent")}</dt>
        <dd className="m">{price(rent)}</dd>
      </div>
      {sums ? (
        <div>
          <dt>{t(weeks ? "booking.rent_total_weeks" : "booking.rent_total_months", { n: lease.lease_duration })}</dt>
          <dd>{total}</dd>
        </div>
      ) : null}
    </dl>
  );
}
