import { useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { type PastMoment, showMoment } from "./pastMoment.ts";

/** Shows every page as it was at a moment, or as it is now, and names the moment in the address. */
export function useGoToMoment(): (moment: PastMoment) => void {
  const router = useRouter();
  return useCallback(
    (moment) => {
      showMoment(moment);
      void router.navigate({ to: ".", search: true, replace: true });
    },
    [router],
  );
}
