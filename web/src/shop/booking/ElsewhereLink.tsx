import { useEffect, useState } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";

/** A link, its code for a camera, and the way to copy it. */
export function ElsewhereLink({ link }: { link: string }) {
  const { t } = useI18n();
  const copy = () => {
    // Where the page may not write to the clipboard, the link can still be marked and copied by hand.
    navigator.clipboard?.writeText(link).then(
      () => toast(t("form_sync.elsewhere_copied")),
      () => undefined,
    );
  };
  return (
    <>
      <Code link={link} />
      <p className="t-14 elsewhere-link">{link}</p>
      <div>
        <Button onClick={copy}>{t("form_sync.elsewhere_copy")}</Button>
      </div>
    </>
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
