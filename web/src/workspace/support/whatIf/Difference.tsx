import type { StreamKind, WhatIf } from "../../../contract/wire.ts";
import { useFormat, useI18n } from "../../../i18n/i18n.tsx";
import { exact } from "../../amounts.ts";
import { PostingTable } from "../../PostingTable.tsx";
import { inWords } from "../../StatusRing.tsx";
import { useFieldText } from "../fieldText.ts";
import { useSentence } from "../sentence.ts";
import { isRepriced } from "./conditionValue.ts";

interface DifferenceProps {
  tried: WhatIf;
  /** The payment provider is taken to refuse refunds. */
  isRefused: boolean;
}

/** What would be different: state, messages, calls of the provider, postings, and the events behind them. */
export function Difference({ tried, isRefused }: DifferenceProps) {
  const { t } = useI18n();
  const { events, fields, stay_price } = tried;
  if (events.length + fields.length === 0 && !isRepriced(stay_price)) {
    return <p className="muted">{t("what_if.nothing")}</p>;
  }
  return (
    <>
      <Fields {...{ fields, stay_price }} />
      <Messages tried={tried} isRefused={isRefused} />
      <Postings postings={tried.postings} />
      <Events events={tried.events} />
    </>
  );
}

function Fields({ fields, stay_price }: Pick<WhatIf, "fields" | "stay_price">) {
  const { t } = useI18n();
  const { label, value } = useFieldText();
  const said = (stream: StreamKind, field: string, stored: string | null) =>
    stored === null || stored === "" ? t("what_if.none") : value(stream, field, stored);
  return (
    <>
      <h3 className="part">{t("what_if.state")}</h3>
      {fields.length === 0 && !isRepriced(stay_price) ? <p className="muted">{t("what_if.same")}</p> : null}
      <dl className="what-if-fields">
        {fields.map(({ stream, field, before, after }) => (
          <div key={`${stream}/${field}`}>
            <dt>{label(stream, field)}</dt>
            <dd>
              <del>{said(stream, field, before)}</del> <span aria-hidden="true">→</span>{" "}
              <ins>{said(stream, field, after)}</ins>
            </dd>
          </div>
        ))}
        {isRepriced(stay_price) ? <Price price={stay_price} /> : null}
      </dl>
    </>
  );
}

function Price({ price }: { price: NonNullable<WhatIf["stay_price"]> }) {
  const { t } = useI18n();
  const { money } = useFormat();
  const said = (minor: number | null) =>
    minor === null ? t("what_if.no_stay_price") : t(`support.per_${price.duration}`, { price: money(minor, price) });
  return (
    <div>
      <dt>{t("what_if.stay_price")}</dt>
      <dd>
        <del>{said(price.before_minor)}</del> <span aria-hidden="true">→</span> <ins>{said(price.after_minor)}</ins>
      </dd>
    </div>
  );
}

function Messages({ tried, isRefused }: DifferenceProps) {
  const { t } = useI18n();
  const { messages, calls } = tried;
  return (
    <>
      <h3 className="part">{t("what_if.messages")}</h3>
      {messages.length + calls.length === 0 ? <p className="muted">{t("what_if.no_messages")}</p> : null}
      <ul className="what-if-list">
        {messages.map(({ kind, to }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages of an answer never change places
          <li key={at}>
            {t(`what_if.message_${kind}`)} <span className="sub">{t(`what_if.to_${to}`)}</span>
          </li>
        ))}
        {calls.map((call, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same
          <li key={`call ${at}`}>
            {t(`what_if.call_${call}`)}{" "}
            <span className="sub">
              {t(isRefused && call === "send_refund" ? "what_if.to_provider_refused" : "what_if.to_provider")}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Postings({ postings }: Pick<WhatIf, "postings">) {
  const { t } = useI18n();
  const amount = (minor: number, decimals: number) => (minor === 0 ? "" : exact(minor, decimals));
  return (
    <>
      <h3 className="part">{t("what_if.postings")}</h3>
      {postings.length === 0 ? <p className="muted">{t("what_if.no_postings")}</p> : null}
      {postings.length === 0 ? null : (
        <PostingTable>
          <tbody>
            {postings.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of an answer never change places
              <tr key={at}>
                <td>
                  {t(`finance.account_${line.account}`)} <span className="sub">{line.currency}</span>
                </td>
                <td className="num">{amount(line.debit_minor, line.decimals)}</td>
                <td className="num">{amount(line.credit_minor, line.decimals)}</td>
              </tr>
            ))}
          </tbody>
        </PostingTable>
      )}
    </>
  );
}

function Events({ events }: Pick<WhatIf, "events">) {
  const { t } = useI18n();
  const sentence = useSentence();
  return (
    <details>
      <summary>{t("what_if.events", { n: events.length })}</summary>
      <ol className="what-if-list">
        {events.map(({ type, told, step }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events of an answer never change places
          <li key={at}>
            {told === null ? inWords(type) : sentence(told)}{" "}
            <span className="sub">{step === null ? t("what_if.follows") : t("what_if.by_step", { n: step + 1 })}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
