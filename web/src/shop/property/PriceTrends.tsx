import { useState } from "react";
import type { Price, PriceTrendPoint, PropertyPage } from "../../contract/wire.ts";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { joinSentences } from "../../i18n/sentences.ts";
import { decimalsOf, symbolOf } from "../ui/currency.ts";
import { inPeriod, usePeriod } from "../ui/period.ts";
import { TrendChart } from "./TrendChart.tsx";
import type { Series } from "./trendScale.ts";

const colours = ["var(--chart-1)", "var(--chart-3)", "var(--chart-4)"];
const dashes = ["", "7 5", "2 4"];

/** How the lowest prices moved over the year, drawn and in words. */
export function PriceTrends({ trends }: { trends: PropertyPage["price_trends"] }) {
  const { t } = useI18n();
  const format = useFormat();
  const series = useSeries(trends);
  const [month, setMonth] = useState<number | null>(null);
  const [first] = series;
  if (!first) return null;
  const look = first.look;
  const money = (minor: number) => format.money(minor, look);
  const lowest = first.points.reduce((best, point) => (point.value < best.value ? point : best));
  const change = (first.points.at(-1)?.value ?? 0) - (first.points[0]?.value ?? 0);
  const key = change > 0 ? "property.trend_up" : change < 0 ? "property.trend_down" : "property.trend_same";
  return (
    <section className="psec" id="trends">
      <h2>{t("property.price_trends")}</h2>
      <p className="soft trend-words">
        {joinSentences(
          t(key, {
            name: first.name,
            money: money(Math.abs(change)),
            month: format.date(first.points[0]?.month ?? "", "month"),
          }),
          t("property.trend_lowest", { month: format.date(lowest.month, "month"), money: money(lowest.value) }),
        )}
      </p>
      <p className="legend">
        {series.map((line) => (
          <span key={line.name}>
            <i style={{ borderColor: line.colour, borderTopStyle: line.dash ? "dashed" : "solid" }} />
            {t("property.trend_line", { name: line.name })}
          </span>
        ))}
      </p>
      <TrendChart series={series} month={month} onMonth={setMonth} narrow={false} />
      <TrendChart series={series} month={month} onMonth={setMonth} narrow />
      <TrendTable series={series} money={money} />
    </section>
  );
}

function useSeries(trends: PropertyPage["price_trends"]): Series[] {
  const period = usePeriod();
  return trends
    .filter(({ points }) => points.length > 1)
    .slice(0, 3)
    .map(({ name, points }, at) => {
      const priced = points.map((point) => ({ month: point.month, price: inPeriod(lowestOf(point), period) }));
      const look = priced[0]?.price ?? { symbol: "", decimals: 2, duration: "weekly" as const };
      const values = priced.map(({ month, price }) => ({ month, value: price.amount_minor }));
      return { name, look, colour: colours[at] ?? "", dash: dashes[at] ?? "", points: values };
    });
}

/** X5: trends carry decimal numbers, as v0 prices do. */
function lowestOf({ min, currency, duration }: PriceTrendPoint): Price {
  const decimals = decimalsOf(currency);
  return { amount_minor: Math.round(min * 10 ** decimals), currency, symbol: symbolOf(currency), decimals, duration };
}

/** The same numbers for those who do not see the drawing. */
function TrendTable({ series, money }: { series: readonly Series[]; money: (minor: number) => string }) {
  const { t } = useI18n();
  const format = useFormat();
  return (
    <div className="vh">
      <table>
        <caption>{t("property.price_trends")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("property.month")}</th>
            {series.map((line) => (
              <th key={line.name} scope="col">
                {line.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series[0]?.points.map((point, at) => (
            <tr key={point.month}>
              <th scope="row">{format.date(point.month, "month")}</th>
              {series.map((line) => (
                <td key={line.name}>{money(line.points[at]?.value ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
