import type { ReactNode } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { joinSentences } from "../../i18n/sentences.ts";
import { useChrome } from "../../pageContext.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { TextField } from "../ui/field.tsx";
import { FlowFrame } from "../ui/flowFrame.tsx";
import { Outline } from "../ui/skeleton.tsx";
import { HoldComing } from "./Hold.tsx";
import { type Priced, PriceMini, PriceSummary } from "./PriceSummary.tsx";

/** As long as most are. */
const sample: Priced = {
  inventory_root: { name: "Bloomsbury Row House", image: null },
  room: {
    name: "Ensuite Room",
    lease_duration: 44,
    lease_duration_unit: "weeks",
    move_in_date: "2027-09-11",
    rent: { amount_minor: 28_900, currency: "GBP", symbol: "£", decimals: 2, duration: "weekly" },
  },
  lines: [{ type: "deposit", amount_minor: 25_000, refundable: true, refundable_days: 7, is_default: false }],
  processing_fee_minor: 907,
  processing_fee_percent: "3.627",
  total_minor: 25_907,
  refunded_minor: 0,
  refunds: [],
  currency: "GBP",
  symbol: "£",
  decimals: 2,
  link: null,
};

interface PaymentFrameProps {
  at: 3 | 5;
  children: ReactNode;
}

/** Around every payment: the steps, and above them that no money moves where none does. */
export function PaymentFrame({ at, children }: PaymentFrameProps) {
  const { t } = useI18n();
  const { test_payments } = useChrome();
  return (
    <FlowFrame at={at} notice={test_payments ? t("payment.test_mode") : null}>
      {children}
    </FlowFrame>
  );
}

/** The payment while it is on its way; `confirming` once Pay was pressed. */
export function PaymentComing({ confirming = false }: { confirming?: boolean }) {
  const { t } = useI18n();
  return (
    <main id="main" className="wrap flow pay asks" aria-busy="true">
      <div>
        {confirming ? (
          <h1 role="status">{t("payment.confirming")}</h1>
        ) : (
          <p className="vh" role="status">
            {t("payment.loading")}
          </p>
        )}
        <Outline>
          {confirming ? null : <h1>{t("payment.title_ask")}</h1>}
          <div style={{ marginTop: 16 }}>
            <HoldComing />
          </div>
          <Ways />
          <CardFields />
          <Act />
        </Outline>
      </div>
      <aside>
        <Outline>
          <PriceMini payment={sample} />
          <PriceSummary payment={sample} outcome="due" />
        </Outline>
      </aside>
    </main>
  );
}

function Ways() {
  const { t } = useI18n();
  return (
    <div className="paytabs pay-ways">
      {(["card", "bank"] as const).map((way) => (
        <span key={way} className="paytab">
          <Icon name={way} size={20} />
          {t(`payment.way_${way}`)}
        </span>
      ))}
    </div>
  );
}

function CardFields() {
  const { t } = useI18n();
  return (
    <div className="stack pay-form">
      <TextField label={t("payment.number")} />
      <div className="two">
        <TextField label={t("payment.expiry")} />
        <TextField label={t("payment.code")} />
      </div>
      <TextField label={t("payment.holder")} optional />
      <TextField label={t("payment.country")} />
    </div>
  );
}

function Act() {
  const { t } = useI18n();
  return (
    <div className="pay-act">
      <Button look="primary" size="large" block>
        {t("payment.loading")}
      </Button>
      <p className="t-14 muted">{t("payment.once_note")}</p>
      <p className="t-14 muted">{joinSentences(t("payment.send_link"), t("payment.copy_link"))}</p>
    </div>
  );
}
