import { useFormat, useI18n } from "../i18n/i18n.tsx";
import { useConnected } from "./connection.ts";

/** Where the log ends; without a line to the server, where it ended when it was last seen. */
export function LogEnd({ position }: { position: number }) {
  const { t } = useI18n();
  const { number } = useFormat();
  const connected = useConnected();
  const n = number(position);
  return (
    <p
      className={connected ? "live" : "live lost"}
      title={t(connected ? "workspace.live_at" : "workspace.live_lost_at", { n })}
    >
      <span className="t">
        {t(connected ? "workspace.live" : "workspace.live_lost")} <b>{n}</b>
      </span>
    </p>
  );
}
