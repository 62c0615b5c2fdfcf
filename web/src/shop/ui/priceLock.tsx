import type { PriceLock } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { useOwnTime } from "../../ownTime.ts";

/** What the enquiry froze: until when, and what counts today. Nothing where nothing was frozen, or the deadline changed nothing. */
export function PriceLockNote({ lock }: { lock: PriceLock | null }) {
  const { t } = useI18n();
  const format = useFormat();
  const own = useOwnTime();
  if (lock === null || (lock.state === "over" && lock.now_minor === lock.frozen_minor)) return null;
  const price = (minor: number) => t(`stay.per_${lock.duration}`, { price: format.money(minor, lock) });
  const isSame = lock.state === "kept" && lock.now_minor === lock.frozen_minor;
  const words = {
    price: price(lock.frozen_minor),
    now: price(lock.now_minor),
    date: own.moment(lock.until),
  };
  return (
    <p className="t-14 soft" style={{ marginTop: 8 }} data-price-lock={lock.state}>
      {t(isSame ? "stay.lock_same" : `stay.lock_${lock.state}`, words)}
    </p>
  );
}
