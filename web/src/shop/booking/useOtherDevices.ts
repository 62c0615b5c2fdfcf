import { useEffect } from "react";
import { watchForm } from "./bookingActors.ts";
import type { BookingEvent } from "./bookingMachine.ts";

/** Keeps this page and the other devices in step: what they save comes in, what is typed here goes out before the page does. */
export function useOtherDevices(formUuid: string | null, send: (event: BookingEvent) => void): void {
  useEffect(() => {
    if (formUuid === null) return;
    return watchForm(formUuid, (form) => send({ type: "form.newer", form }));
  }, [formUuid, send]);
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
