import { open } from "./chromium.ts";
import type { Marketplace } from "./marketplace.ts";
import { payButton } from "./payer.ts";
import type { Scene } from "./scene.ts";

/** Other hosts of one page: those that it asked, and those that its policy lets it ask. */
interface Others {
  asked: string[];
  named: string[];
}

/** Opens the first page, a search, a home, its form and a payment, each with a document of its own. */
export async function othersByPage(scene: Scene, market: Marketplace): Promise<Record<string, Others>> {
  const { page } = scene;
  const stay = await market.stay((rooms) => rooms > 3);
  const { token, lead_uuid } = await market.payment(stay);
  const pages = {
    home: "/",
    search: "/places/search/london",
    property: `/places/${stay.home}`,
    form: `/places/${stay.home}/form?lead_uuid=${lead_uuid}`,
    payment: `/payments/${token}`,
  };
  const own = new URL(scene.url).host;
  const asked = new Set<string>();
  let policy = "";
  page.on("request", (request) => {
    const { host, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && host !== own) asked.add(host);
  });
  page.on("response", (response) => {
    if (response.request().resourceType() === "document")
      policy = response.headers()["content-security-policy"] ?? "none";
  });
  const others: Record<string, Others> = {};
  for (const [name, path] of Object.entries(pages)) {
    asked.clear();
    await open(page, path);
    if (name === "payment") await payButton(page).waitFor();
    await page.waitForLoadState("networkidle");
    const named = policy.split(/[ ;]+/).filter((word) => word.startsWith("https:") || word === "*" || word === "none");
    others[name] = { asked: [...asked].sort(), named: [...new Set(named)].sort() };
  }
  return others;
}

export const NO_OTHERS: Others = { asked: [], named: [] };

/** Pages from which a home is reached ask nobody, and may frame a video or a tour that is pressed. */
export const PLAYERS: Others = {
  asked: [],
  named: [
    "https://kuula.co",
    "https://my.matterport.com",
    "https://player.bilibili.com",
    "https://player.vimeo.com",
    "https://player.youku.com",
    "https://www.youtube-nocookie.com",
  ],
};
