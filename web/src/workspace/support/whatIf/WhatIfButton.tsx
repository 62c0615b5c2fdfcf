import { Suspense, useState } from "react";
import type { LeadRow } from "../../../contract/wire.ts";
import { useI18n } from "../../../i18n/i18n.tsx";
import { lazyPart } from "../../../ui/lazyPart.tsx";
import { useKeys } from "../../keys.ts";
import { withTexts } from "../../withTexts.ts";

const WhatIfDialog = lazyPart(async () => (await withTexts(import("./WhatIfDialog.tsx"), "acts")).WhatIfDialog);

/** Where the branch begins: an event of the history and its place in the log; `null`: now. */
export interface Moment {
  n: number;
  position: number;
}

interface WhatIfButtonProps {
  lead: LeadRow;
  /** `undefined` while the event is still on its way. */
  from: Moment | null | undefined;
}

/** Opens the trial of acts from the moment that is shown; of the past it is for looking. */
export function WhatIfButton({ lead, from }: WhatIfButtonProps) {
  const { t } = useI18n();
  // The history may go on while the dialog is open: what is tried stays where it began.
  const [begun, setBegun] = useState<Moment | null>();
  const open = () => setBegun(from);
  useKeys({ f: open });
  return (
    <>
      <button type="button" className="btn" disabled={from === undefined} onClick={open}>
        {t("what_if.open")} <kbd>F</kbd>
      </button>
      {begun === undefined ? null : (
        <Suspense>
          <WhatIfDialog lead={lead} from={begun} onClose={() => setBegun(undefined)} />
        </Suspense>
      )}
    </>
  );
}
