import { useMatch, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";

/**
 * Whether the page shown is still the one that the address names. While the code of another is on its way this one stays on screen,
 * and what it writes into the address late would call the visitor back.
 */
export function useStaying(): () => boolean {
  const router = useRouter();
  const { pathname } = useMatch({ strict: false });
  return useCallback(() => plain(router.latestLocation.pathname) === plain(pathname), [router, pathname]);
}

/** A path as the server reads it: a slash at its end means nothing. */
function plain(pathname: string): string {
  return pathname.replace(/\/$/, "");
}
