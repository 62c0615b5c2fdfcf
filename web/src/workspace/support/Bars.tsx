interface BarRow {
  name: string;
  /** What the bars' lengths stand for, one bar a value. */
  values: number[];
  /** The same as text. */
  shown: string[];
}

interface BarsProps {
  caption: string;
  /** Of the names, then of each value. */
  head: string[];
  rows: BarRow[];
}

/** A table whose values are drawn as bars too: the drawing is for the eye, the table for every reader. */
export function Bars({ caption, head, rows }: BarsProps) {
  const [name, ...values] = head;
  const most = Math.max(1, ...rows.flatMap((row) => row.values));
  return (
    <table className="tbl rep">
      <caption className="vh">{caption}</caption>
      <thead>
        <tr>
          <th>{name}</th>
          {values.map((value) => (
            <th key={value}>{value}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            {row.values.map((value, place) => (
              <td key={values[place]}>
                <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                  <rect className={`b${place}`} width={(100 * value) / most} height="8" rx="1" />
                </svg>
                <span className="num">{row.shown[place]}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
