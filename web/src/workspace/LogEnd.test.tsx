import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import en from "../../../i18n/en/workspace.json";
import zh from "../../../i18n/zh/workspace.json";
import type { Lang } from "../contract/wire.ts";
import { addTexts } from "../i18n/catalogue.ts";
import { LanguageProvider } from "../i18n/i18n.tsx";
import { streamBroke } from "./connection.ts";
import { LogEnd } from "./LogEnd.tsx";
import { meQuery, newQueryClient } from "./queries.ts";

addTexts("en", en);
addTexts("zh", zh);

afterEach(() => {
  vi.unstubAllGlobals();
});

const answer = (status: number, body: unknown) => () => Promise.resolve(new Response(JSON.stringify(body), { status }));
const here = answer(200, { message: "success", data: { log_position: 73_948 } });
const refusal = { message: { user_friendly_message: "No", code: "no" }, request_id: "r" };

function Bar() {
  useQuery(meQuery);
  return <LogEnd position={73_948} />;
}

/** The bar, asking a server that behaves as told; the returned function lets it ask again. */
async function bar(lang: Lang): Promise<(server: () => Promise<Response>) => void> {
  vi.stubGlobal("fetch", here);
  const client = newQueryClient();
  render(
    <LanguageProvider lang={lang}>
      <QueryClientProvider client={client}>
        <Bar />
      </QueryClientProvider>
    </LanguageProvider>,
  );
  await waitFor(() => expect(client.getQueryData(meQuery.queryKey)).toBeDefined());
  return (server) => {
    vi.stubGlobal("fetch", server);
    void client.refetchQueries();
  };
}

/** What it says, and `lost` when the dot is grey. */
const shown = () => {
  const line = document.querySelector("p");
  return [line?.textContent, line?.className];
};

// The end of the log is not live from the first call that does not arrive.
test.each([
  ["en", `${en["workspace.live"]} 73,948`, `${en["workspace.live_lost"]} 73,948`],
  ["zh", "实时 · 事件 73,948", "最后所见事件 73,948"],
] as const)("the log's end is not live after a failed call (%s)", async (lang, live, lost) => {
  const ask = await bar(lang);
  expect(shown()).toEqual([live, "live"]);
  ask(() => Promise.reject(new TypeError("Failed to fetch")));
  await waitFor(() => expect(shown()).toEqual([lost, "live lost"]));
  ask(here);
  await waitFor(() => expect(shown()).toEqual([live, "live"]), { timeout: 4000 });
});

// A server that cannot look at its log is not live, and one that refuses is.
test("a server without its log, or one that refuses, is not live", async () => {
  const ask = await bar("en");
  ask(answer(503, refusal));
  await screen.findByText(new RegExp(en["workspace.live_lost"]));
  ask(answer(403, refusal));
  await screen.findByText(/Live/);
});

test("while a stream of events is interrupted nothing is live", async () => {
  await bar("en");
  let mended = () => {};
  act(() => {
    mended = streamBroke();
  });
  expect(shown()[1]).toBe("live lost");
  act(() => mended());
  expect(shown()[1]).toBe("live");
});
