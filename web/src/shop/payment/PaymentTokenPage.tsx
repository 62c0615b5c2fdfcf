import { useEffect, useState } from "react";
import type { PageOf } from "../../page.ts";
import { rewrite } from "../navigation.ts";
import { PaymentScreen } from "./PaymentScreen.tsx";
import { hasReturned, withoutRedirect } from "./stripeReturn.ts";

/** `/payments/{token}`: one payment by its own address; the page of a bank or wallet leads back here. */
export default function PaymentTokenPage({ page }: { page: PageOf<"payment_token"> }) {
  const { token } = page.data;
  const [returned] = useState(() => hasReturned(page.url));
  useEffect(() => {
    // The intent's secret does not stay in the address bar, nor in the browser's history.
    const clean = withoutRedirect(page.url);
    if (clean !== page.url) rewrite(clean);
  }, [page.url]);
  return <PaymentScreen key={token} opening={{ token }} returned={returned} />;
}
