import { useEffect, useState } from "react";
import { embeddedPage } from "../../page.ts";
import * as paths from "../../paths.ts";

/**
 * Stripe's script may run only where the Content-Security-Policy names it, and that came with the document: one that was
 * opened at another page is left for the payment's own.
 */
export function useOwnDocument(token: string): boolean {
  const [isOwn] = useState(() => embeddedPage()?.route.startsWith("payment") ?? true);
  useEffect(() => {
    if (!isOwn) location.replace(paths.paymentToken(token));
  }, [isOwn, token]);
  return isOwn;
}
