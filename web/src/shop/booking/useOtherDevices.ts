import { useEffect } from "react";
import { useSession } from "../session.ts";
import { watchForm } from "./bookingActors.ts";
import type { BookingEvent } from "./bookingMachine.ts";

/** Keeps this page and the other devices in step: what they save comes in, what is typed here goes out before the page does. */
export function useOtherDevices(formUuid: string | null, send: (event: BookingEvent) => void): void {
  const session = useSession();
  const reader = session.state === "user" ? session.user.id : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form that was refused is opened by another login
  useEffect(() => {
    if (formUuid === null) return;
    const onClaimed = () => send({ type: "form.claimed" });
    return watchForm(formUuid, (form) => send({ type: "form.newer", form }), onClaimed);
  }, [formUuid, reader, send]);
  useEffect(() => {
    const online = () => send({ type: "answers.online" });
    const hidden = () => {
      if (document.hidden) send({ type: "answers.flush" });
    };
    window.addEventListener("online", online);
    const leaving = () => send({ type: "answers.flush" });
    document.addEventListener("visibilitychange", hidden);
    window.addEventListener("pagehide", leaving);
    return () => {
      window.removeEventListener("online", online);
      document.removeEventListener("visibilitychange", hidden);
      window.removeEventListener("pagehide", leaving);
    };
  }, [send]);
}
