import { useEffect, useState } from "react";
import { ApiError } from "../../api.ts";
import { useI18n } from "../../i18n/i18n.tsx";
import * as paths from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { ButtonLink } from "../ui/buttonLink.tsx";
import { type Entry, enterWaitlist } from "../ui/enterWaitlist.ts";

interface WaitlistEntryProps {
  leadUuid: string;
  roomId: string;
}

type State = { entry: Entry } | { trouble: string; again: boolean } | null;

/** The place in the waitlist of the room and dates that the enquiry names: the one way to wait for it. */
export function WaitlistEntry({ leadUuid, roomId }: WaitlistEntryProps) {
  const { t } = useI18n();
  const [state, setState] = useState<State>(null);
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` tries anew
  useEffect(() => {
    let isLeft = false;
    setState(null);
    enterWaitlist(leadUuid, roomId).then(
      (entry) => isLeft || setState({ entry }),
      (error: unknown) => isLeft || setState(troubleOf(error, t("lead.wait_failed"))),
    );
    return () => {
      isLeft = true;
    };
  }, [leadUuid, roomId, asked]);
  if (state === null) return <p role="status">{t("lead.wait_entering")}</p>;
  if ("trouble" in state) {
    return (
      <div className="stack g12">
        <p role="alert">{state.trouble}</p>
        {state.again ? <Button onClick={() => setAsked((n) => n + 1)}>{t("lead.try_again")}</Button> : null}
      </div>
    );
  }
  const { token, number } = state.entry;
  return (
    <section className="card stack g12" style={{ padding: 20 }} role="status" data-waits={number ?? "free"}>
      <p className="t-18 m">{number === null ? t("lead.wait_free") : t("lead.wait_number", { number })}</p>
      <p className="soft">{t(number === null ? "lead.wait_free_text" : "lead.wait_text")}</p>
      <div className="row">
        <ButtonLink href={paths.paymentToken(token)}>
          {t(number === null ? "lead.wait_take" : "lead.wait_see")}
        </ButtonLink>
      </div>
    </section>
  );
}

/** A refusal of the server stands, in its own words; a line that was cut is tried again. */
function troubleOf(error: unknown, cutOff: string): State {
  const isRefused = error instanceof ApiError && error.kind === "refused" && error.status < 500;
  return isRefused
    ? { trouble: error.fields[0]?.message ?? error.message, again: false }
    : { trouble: cutOff, again: true };
}
