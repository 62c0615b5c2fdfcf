import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Revealed } from "../../contract/wire.ts";
import { serverNow } from "../../serverClock.ts";

const keyOf = (leadId: string) => ["revealed", leadId] as const;

/** Keeps what was shown, for as long as the server allows it, in memory only. */
export function keepRevealed(client: QueryClient, leadId: string, revealed: Revealed): void {
  client.setQueryData(keyOf(leadId), revealed);
}

/** Whoever was erased is shown to nobody any more, though a look at them was granted for longer. */
export function dropRevealed(client: QueryClient, leadId: string): void {
  client.setQueryData(keyOf(leadId), null);
}

/** The personal values this person may see now, or `null`; they vanish by themselves when their time is up. */
export function useRevealed(leadId: string): Revealed | null {
  const client = useQueryClient();
  const { data } = useQuery<Revealed | null>({
    queryKey: keyOf(leadId),
    queryFn: () => null,
    enabled: false,
    initialData: null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const until = data?.until ?? null;
  useEffect(() => {
    if (until === null) return;
    const left = Math.max(0, Date.parse(until) - serverNow());
    const timer = window.setTimeout(() => client.setQueryData(keyOf(leadId), null), left);
    return () => window.clearTimeout(timer);
  }, [client, leadId, until]);
  return data;
}

/** The fields whose plain value a reveal brings. */
export function plainValue(revealed: Revealed | null, field: string): string | null {
  if (revealed === null) return null;
  if (field === "counsellor_name") return revealed.counsellor_name;
  if (field === "counsellor_email") return revealed.counsellor_email;
  if (field === "question") return revealed.user_query;
  if (/name/.test(field)) return revealed.name;
  if (/e_?mail/.test(field)) return revealed.email;
  return /phone/.test(field) ? revealed.phone : null;
}
