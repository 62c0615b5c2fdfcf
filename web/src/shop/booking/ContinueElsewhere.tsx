import { useState } from "react";
import type { BookingForm } from "../../contract/wire.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import { Arriving } from "../../ui/arriving.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";

const ElsewhereLink = lazyPart(async () => (await import("./ElsewhereLink.tsx")).ElsewhereLink);

/** Another device goes on in the same field. The link to this form and its code are loaded when they are asked for. */
export function ContinueElsewhere({ form }: { form: BookingForm }) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  return (
    <details className="elsewhere" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="link t-14">{t("form_sync.elsewhere_title")}</summary>
      <div className="stack" style={{ gap: 12, marginTop: 12 }}>
        <p className="soft t-14">{t("form_sync.elsewhere_text")}</p>
        {open ? (
          <Arriving>
            <ElsewhereLink link={`${location.origin}${location.pathname}?lead_uuid=${form.lead_uuid}`} />
          </Arriving>
        ) : null}
      </div>
    </details>
  );
}
