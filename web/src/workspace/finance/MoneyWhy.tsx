import { Suspense, useState } from "react";
import type { AuditRow } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { writeMoney } from "../amounts.ts";
import { useKeys } from "../keys.ts";
import { WhyButton } from "../WhyButton.tsx";
import { withTexts } from "../withTexts.ts";

const MoneyWhyDialog = lazyPart(async () => (await withTexts(import("./MoneyWhyDialog.tsx"), "why")).MoneyWhyDialog);

interface MoneyWhyProps {
  name: string;
  amount: string;
  /** The events that made it, oldest first. */
  rows: readonly AuditRow[];
}

/** The same under W, for the event that is chosen in a list. */
export function MoneyWhyKey({ row }: { row: AuditRow | undefined }) {
  const { t } = useI18n();
  const [isOpen, setIsOpen] = useState(false);
  useKeys({ w: () => setIsOpen(true) });
  if (!isOpen || row === undefined) return null;
  return <OpenMoneyWhy {...whyOfRow(row, t(`finance.kind_${row.kind}`))} onClose={() => setIsOpen(false)} />;
}

/** What a row of the list asks: its one event. */
export function whyOfRow(row: AuditRow, name: string): MoneyWhyProps {
  return { name, amount: writeMoney(row.amount_minor, row), rows: [row] };
}

/** "why?" beside an amount or a state of a payment. */
export function MoneyWhy(props: MoneyWhyProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <WhyButton field={props.name} onAsk={() => setIsOpen(true)} />
      {isOpen ? <OpenMoneyWhy {...props} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function OpenMoneyWhy(props: MoneyWhyProps & { onClose: () => void }) {
  return (
    <Suspense>
      <MoneyWhyDialog {...props} />
    </Suspense>
  );
}
