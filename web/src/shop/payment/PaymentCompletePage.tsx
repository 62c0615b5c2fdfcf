import type { PageOf } from "../../page.ts";
import { PaymentScreen } from "./PaymentScreen.tsx";

/** `/payments/complete`: where the gateway sends the payer back to. */
export default function PaymentCompletePage({ page }: { page: PageOf<"payment_complete"> }) {
  const { token } = page.data;
  return <PaymentScreen key={token} opening={{ token }} onlyOutcome />;
}
