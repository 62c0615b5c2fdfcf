import { type FormEvent, type ReactNode, useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { serverNow } from "../../serverClock.ts";
import { focusFirstFault } from "../../ui/arrival.ts";
import { Icon } from "../../ui/icon.tsx";
import { countriesByName } from "../ui/dialCodes.ts";
import { Field, SelectField, TextField } from "../ui/field.tsx";
import { type CardDraft, cardFaults, groupDigits, groupExpiry } from "./card.ts";
import { TEST_CARDS } from "./testCards.ts";

interface CardFormProps {
  formId: string;
  card: CardDraft;
  locked: boolean;
  /** Why the last try failed; stands above the card number. */
  notice: ReactNode;
  onCard: (card: CardDraft) => void;
  onPay: (cardNumber: string) => void;
}

type Checked = "number" | "expiry" | "code";

/** The sandbox's card form. With Stripe `StripeForm` is in its place. */
export function CardForm(props: CardFormProps) {
  const { t } = useI18n();
  const { card, locked, onCard } = props;
  const [left, setLeft] = useState<ReadonlySet<Checked>>(new Set());
  const [sent, setSent] = useState(false);
  const faults = cardFaults(card, new Date(serverNow()));
  const errorOf = (field: Checked) => {
    const fault = faults[field];
    return fault && (sent || left.has(field)) ? t(fault) : null;
  };
  const leave = (field: Checked) => () => card[field] !== "" && setLeft((before) => new Set([...before, field]));
  const pay = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const faulty = Object.keys(faults).length > 0;
    setSent(faulty);
    if (faulty) focusFirstFault(event.currentTarget);
    if (faulty || locked) return;
    // The page empties the card now: whoever has to type it again has left nothing blank.
    setLeft(new Set());
    props.onPay(card.number.replace(/\D/g, ""));
  };
  return (
    <form
      id={props.formId}
      className={`stack pay-form${locked ? " locked" : ""}`}
      noValidate
      onSubmit={pay}
      inert={locked}
    >
      {props.notice}
      <NumberField {...props} error={errorOf("number")} onLeave={leave("number")} />
      <div className="two">
        <TextField
          label={t("payment.expiry")}
          placeholder={t("payment.expiry_hint")}
          inputMode="numeric"
          autoComplete="cc-exp"
          value={card.expiry}
          disabled={locked}
          error={errorOf("expiry")}
          onBlur={leave("expiry")}
          onChange={(event) => onCard({ ...card, expiry: groupExpiry(event.target.value) })}
        />
        <TextField
          label={t("payment.code")}
          type="password"
          inputMode="numeric"
          autoComplete="cc-csc"
          maxLength={4}
          value={card.code}
          disabled={locked}
          error={errorOf("code")}
          onBlur={leave("code")}
          onChange={(event) => onCard({ ...card, code: event.target.value.replace(/\D/g, "") })}
        />
      </div>
      <HolderFields {...props} />
      <TestCards onChoose={(number) => onCard(filled(card, number))} />
    </form>
  );
}

interface NumberFieldProps extends CardFormProps {
  error: string | null;
  onLeave: () => unknown;
}

function NumberField({ card, locked, onCard, error, onLeave }: NumberFieldProps) {
  const { t } = useI18n();
  return (
    <Field id="card-number" label={t("payment.number")} error={error}>
      <div className="cardin">
        <input
          className="input num"
          id="card-number"
          inputMode="numeric"
          autoComplete="cc-number"
          value={card.number}
          disabled={locked}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? "card-number-error" : undefined}
          onBlur={onLeave}
          onChange={(event) => onCard({ ...card, number: groupDigits(event.target.value) })}
        />
        <Icon name="card" />
      </div>
    </Field>
  );
}

function HolderFields({ card, locked, onCard }: CardFormProps) {
  const { t, lang } = useI18n();
  return (
    <>
      <TextField
        label={t("payment.holder")}
        optional
        autoComplete="cc-name"
        value={card.holder}
        disabled={locked}
        onChange={(event) => onCard({ ...card, holder: event.target.value })}
      />
      <SelectField
        label={t("payment.country")}
        autoComplete="country"
        value={card.country}
        disabled={locked}
        onChange={(event) => onCard({ ...card, country: event.target.value })}
      >
        {countriesByName(lang).map(({ country, name }) => (
          <option key={country} value={country}>
            {name}
          </option>
        ))}
      </SelectField>
    </>
  );
}

/** A test card with a date that lies ahead and any code. */
function filled(card: CardDraft, number: string): CardDraft {
  const year = String((new Date(serverNow()).getUTCFullYear() + 3) % 100).padStart(2, "0");
  return { ...card, number: groupDigits(number), expiry: `08 / ${year}`, code: "123" };
}

function TestCards({ onChoose }: { onChoose: (number: string) => void }) {
  const { t } = useI18n();
  return (
    <details className="test-cards">
      <summary className="m">{t("payment.cards_title")}</summary>
      <p className="t-14 muted">{t("payment.cards_note")}</p>
      <ul>
        {TEST_CARDS.map(({ number, says }) => (
          <li key={number}>
            <button type="button" data-card={number} onClick={() => onChoose(number)}>
              <span className="num">{groupDigits(number)}</span>
              <span className="t-14 soft">{t(says)}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
