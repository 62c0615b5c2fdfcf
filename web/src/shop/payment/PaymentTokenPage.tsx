import type { PageOf } from "../../page.ts";
import { PaymentScreen } from "./PaymentScreen.tsx";

/** `/payments/{token}`: one payment by its own address. */
export default function PaymentTokenPage({ page }: { page: PageOf<"payment_token"> }) {
  const { token } = page.data;
  return <PaymentScreen key={token} opening={{ token }} />;
}
