import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { useOnePress } from "./useOnePress.ts";

// Both halves of a double click send one request, and a later press sends another.
test("a double click sends one request, a later press another", async () => {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  const mutationFn = (asked: string) => {
    sent.push(asked);
    return new Promise<void>((done) => answers.push(done));
  };
  const { result } = renderHook(() => useOnePress({ mutationFn }), { wrapper });
  result.current.send("first half");
  result.current.send("second half");
  await waitFor(() => expect(result.current.isPending).toBe(true));
  act(() => {
    for (const answer of answers) answer();
  });
  await waitFor(() => expect(result.current.isPending).toBe(false));
  result.current.send("later");
  await waitFor(() => expect(sent).toEqual(["first half", "later"]));
});
