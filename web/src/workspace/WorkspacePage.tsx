import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { ApiError } from "../api.ts";
import { Toasts } from "../ui/toast.tsx";
import { AccessPage } from "./AccessPage.tsx";
import { LoginLinkGate } from "./LoginLinkGate.tsx";
import { readLoginLink } from "./loginLink.ts";
import { meQuery, newQueryClient } from "./queries.ts";
import { router } from "./router.tsx";
import { MeProvider } from "./session.ts";

const client = newQueryClient();

// The code of the page that the address names comes while the server is asked who is here.
void router.load();

/** Everything below `/workspace` (D108). */
export default function WorkspacePage() {
  const [link, setLink] = useState(() => readLoginLink(location.hash));
  useEffect(() => {
    // A link that is put into the address of an open workspace loads no page.
    const read = () => setLink(readLoginLink(location.hash));
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, []);
  const enter = () => {
    // The used link leaves the address, and with it the history of this tab.
    history.replaceState(history.state, "", location.pathname + location.search);
    setLink(null);
  };
  return (
    <QueryClientProvider client={client}>
      {link === null ? <Workspace /> : <LoginLinkGate link={link} onEntered={enter} />}
    </QueryClientProvider>
  );
}

function Workspace() {
  const me = useQuery(meQuery);
  const [refusal, setRefusal] = useState<Error | null>(null);
  useEffect(() => {
    if (me.error !== null) setRefusal(me.error);
  }, [me.error]);
  // A role taken back, or a login that ended, closes the page that is open: what it had fetched is not shown any longer.
  const isShut = me.error instanceof ApiError && (me.error.status === 401 || me.error.status === 403);
  if (me.data === undefined || isShut) {
    // While the question is asked again, its last refusal stays on screen.
    const error = me.error ?? refusal;
    return error === null ? null : <AccessPage error={error} onRetry={() => void me.refetch()} />;
  }
  return (
    <MeProvider value={me.data}>
      <RouterProvider router={router} />
      <Toasts />
    </MeProvider>
  );
}
