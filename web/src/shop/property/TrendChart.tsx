import type { PointerEvent } from "react";
import { useFormat, useI18n } from "../../i18n/i18n.tsx";
import { axis, type Series } from "./trendScale.ts";

interface TrendChartProps {
  series: readonly Series[];
  /** The month under the pointer. */
  month: number | null;
  onMonth: (month: number | null) => void;
  narrow: boolean;
}

const wideBox = { width: 760, height: 320, left: 48, right: 112, top: 16, bottom: 34 };
const narrowBox = { width: 358, height: 270, left: 42, right: 12, top: 12, bottom: 30 };

/** The chart's lines; the table after it carries the same numbers, so the drawing is not read aloud. */
export function TrendChart({ series, month, onMonth, narrow }: TrendChartProps) {
  const format = useFormat();
  const box = narrow ? narrowBox : wideBox;
  const [first] = series;
  if (!first) return null;
  const unit = 10 ** first.look.decimals;
  const { low, high, ticks } = axis(
    series.flatMap(({ points }) => points.map(({ value }) => value)),
    unit,
  );
  const count = first.points.length;
  const x = (at: number) => box.left + (at * (box.width - box.left - box.right)) / (count - 1);
  const y = (value: number) =>
    box.height - box.bottom - ((value - low) * (box.height - box.top - box.bottom)) / (high - low);
  const marked = month ?? highestOf(first);
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at =
      (((event.clientX - left) / width) * box.width - box.left) / ((box.width - box.left - box.right) / (count - 1));
    onMonth(Math.min(count - 1, Math.max(0, Math.round(at))));
  };
  return (
    <svg
      className={`chart ${narrow ? "only-narrow" : "only-wide"}`}
      viewBox={`0 0 ${box.width} ${box.height}`}
      aria-hidden="true"
      onPointerMove={move}
      onPointerLeave={() => onMonth(null)}
    >
      {ticks.map((tick) => (
        <g key={tick}>
          <path d={`M${box.left} ${y(tick)}H${box.width - box.right}`} stroke="var(--line-200)" />
          <text x={box.left - 10} y={y(tick) + 4} textAnchor="end">
            {format.money(tick, first.look)}
          </text>
        </g>
      ))}
      {first.points.map((point, at) =>
        narrow && at % 2 === 0 ? null : (
          <text key={point.month} x={x(at)} y={box.height - 8} textAnchor="middle">
            {format.month(point.month).slice(0, 3)}
          </text>
        ),
      )}
      <path
        d={`M${x(marked)} ${box.top}V${box.height - box.bottom}`}
        stroke="var(--control-line)"
        strokeDasharray="3 4"
      />
      {series.map((line) => (
        <Line key={line.name} line={line} x={x} y={y} marked={marked} narrow={narrow} />
      ))}
      {narrow ? null : (
        <Tooltip series={series} at={marked} x={x(marked)} top={box.top + 2} width={box.width - box.right} />
      )}
    </svg>
  );
}

function highestOf(line: Series): number {
  return line.points.reduce((best, point, at) => (point.value > (line.points[best]?.value ?? 0) ? at : best), 0);
}

function Line({
  line,
  x,
  y,
  marked,
  narrow,
}: {
  line: Series;
  x: (at: number) => number;
  y: (value: number) => number;
  marked: number;
  narrow: boolean;
}) {
  const format = useFormat();
  const last = line.points.length - 1;
  const end = line.points[last];
  const at = line.points[marked];
  return (
    <g>
      <polyline
        points={line.points.map((point, n) => `${x(n).toFixed(1)},${y(point.value).toFixed(1)}`).join(" ")}
        fill="none"
        stroke={line.colour}
        strokeWidth={2.5}
        strokeDasharray={line.dash || undefined}
        strokeLinejoin="round"
      />
      {end ? <circle cx={x(last)} cy={y(end.value)} r={5} fill={line.colour} stroke="#fff" strokeWidth={2} /> : null}
      {at ? <circle cx={x(marked)} cy={y(at.value)} r={5} fill="#fff" stroke={line.colour} strokeWidth={2.5} /> : null}
      {end ? (
        <text
          x={narrow ? x(last) : x(last) + 12}
          y={y(end.value) + (narrow ? 22 : 4)}
          textAnchor={narrow ? "end" : "start"}
          className="line-name"
          style={{ fill: line.colour }}
        >
          {line.name.length > 9 && !narrow ? "" : `${line.name} `}
          {format.money(end.value, line.look)}
        </text>
      ) : null}
      {at && narrow && marked !== last ? (
        <text x={x(marked)} y={y(at.value) - 10} textAnchor="middle">
          {format.money(at.value, line.look)}
        </text>
      ) : null}
    </g>
  );
}

function Tooltip({
  series,
  at,
  x,
  top,
  width,
}: {
  series: readonly Series[];
  at: number;
  x: number;
  top: number;
  width: number;
}) {
  const { t } = useI18n();
  const format = useFormat();
  const [first] = series;
  const wide = 188;
  const left = x + wide + 14 > width ? x - wide - 12 : x + 12;
  return (
    <g transform={`translate(${left} ${top})`} className="chart-tip">
      <rect width={wide} height={34 + series.length * 19} rx={10} fill="var(--ink-900)" />
      <text x={14} y={22} className="tip-title">
        {format.date(first?.points[at]?.month ?? "", "month")}
      </text>
      {series.map((line, n) => (
        <g key={line.name}>
          <text x={14} y={42 + n * 19} className="tip-name">
            {line.name.slice(0, 14)}
          </text>
          <text x={wide - 14} y={42 + n * 19} textAnchor="end" className="tip-value">
            {format.money(line.points[at]?.value ?? 0, line.look)}{" "}
            {t(line.look.duration === "weekly" ? "ui.per_week" : "ui.per_month")}
          </text>
        </g>
      ))}
    </g>
  );
}
