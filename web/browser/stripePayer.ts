import type { Route } from "playwright-core";
import type { Network } from "./network.ts";
import { payButton } from "./payer.ts";
import type { Scene } from "./scene.ts";
import { stripeScript } from "./stripeScript.ts";

/** What a payer does with Stripe's own form, where the imitation at `api` answers in Stripe's place. */

/** The browser reaches Stripe's hosts here instead of on the internet; with a network, only while that is up. */
export async function withStripe({ page }: Scene, api: string, network?: Network): Promise<void> {
  const answered = (answer: (route: Route) => Promise<void>) => (route: Route) =>
    network ? network.carry(route, answer) : answer(route);
  await page.route(
    "https://js.stripe.com/**",
    answered((route) =>
      route.fulfill({
        contentType: "text/javascript",
        headers: { "access-control-allow-origin": "*" },
        body: stripeScript,
      }),
    ),
  );
  await page.route(
    "https://api.stripe.com/**",
    answered(async (route) => {
      const asked = route.request();
      const { pathname, search } = new URL(asked.url());
      const answer = await fetch(api + pathname + search, {
        method: asked.method(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: asked.postData(),
      });
      const body = await answer.text();
      if (network?.losesAnswer(asked.url())) return network.cutOff(route);
      await route.fulfill({
        status: 200,
        contentType: "application/json",
        headers: { "access-control-allow-origin": "*" },
        body,
      });
    }),
  );
}

/** Types a card's number into Stripe's form and presses Pay. */
export async function pays({ page }: Scene, card: string): Promise<void> {
  await page.locator("form.pay-form input").fill(card);
  await payButton(page).click();
}

/** A button of the bank's window. */
export const bank = ({ page }: Scene, answer: "pass" | "fail") =>
  page.locator("#standin-bank").getByRole("button", { name: answer });
