import { useEffect, useState } from "react";
import type { BookingForm } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";

/** The link to this form and its code: another device goes on in the same field. The code's drawing is loaded when it is asked for. */
export function ContinueElsewhere({ form }: { form: BookingForm }) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  const link = `${location.origin}${location.pathname}?lead_uuid=${form.lead_uuid}`;
  const copy = () => {
    // Where the page may not write to the clipboard, the link can still be marked and copied by hand.
    navigator.clipboard?.writeText(link).then(
      () => toast(t("form_sync.elsewhere_copied")),
      () => undefined,
    );
  };
  return (
    <details className="elsewhere" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="link t-14">{t("form_sync.elsewhere_title")}</summary>
      <div className="stack" style={{ gap: 12, marginTop: 12 }}>
        <p className="soft t-14">{t("form_sync.elsewhere_text")}</p>
        {open ? <Code link={link} /> : null}
        <p className="t-14 elsewhere-link">{link}</p>
        <div>
          <Button onClick={copy}>{t("form_sync.elsewhere_copy")}</Button>
        </div>
      </div>
    </details>
  );
}

/** A QR code of light and dark squares, dark on white whatever the colours of the page. */
function Code({ link }: { link: string }) {
  const { t } = useI18n();
  const [squares, setSquares] = useState<readonly (readonly boolean[])[]>([]);
  useEffect(() => {
    let gone = false;
    import("uqr").then(
      ({ encode }) => {
        if (!gone) setSquares(encode(link, { border: 2 }).data);
      },
      // Without it the link stands below.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [link]);
  if (squares.length === 0) return null;
  const dark = squares.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      className="elsewhere-code"
      viewBox={`0 0 ${squares.length} ${squares.length}`}
      role="img"
      aria-label={t("form_sync.elsewhere_code")}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={dark.join("")} fill="#17181c" />
    </svg>
  );
}
