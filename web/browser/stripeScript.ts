/**
 * What stands for Stripe's own script in a story: the calls of it that the page makes, one field for the card (or for the name of a
 * test payment method), a wallet's button where `localStorage["standin.wallet"]` is set, and the bank's window of 3-D Secure.
 */
export const stripeScript = `(() => {
  const card = { number: "" };
  const field = (place) => {
    const label = document.createElement("label");
    label.append("Card number ");
    const input = document.createElement("input");
    input.addEventListener("input", () => { card.number = input.value.replaceAll(" ", ""); });
    label.append(input);
    place.append(label);
    return label;
  };
  const walletButton = (place, press) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Wallet";
    button.addEventListener("click", () => { card.number = "4242424242424242"; press(); });
    place.append(button);
    return button;
  };
  const element = (type) => {
    const heard = {};
    let shown = null;
    const tell = (event, told) => (heard[event] ?? []).forEach((act) => act(told));
    const wallets = type === "expressCheckout" && localStorage.getItem("standin.wallet") ? { applePay: true } : undefined;
    return {
      on(event, act) { (heard[event] ??= []).push(act); return this; },
      mount(place) {
        if (type === "payment") shown = field(place);
        if (wallets) shown = walletButton(place, () => tell("confirm", { paymentFailed() {} }));
        queueMicrotask(() => tell("ready", { elementType: type, availablePaymentMethods: wallets }));
      },
      destroy() { shown?.remove(); },
    };
  };
  const idOf = (secret) => secret.split("_secret_")[0];
  const call = async (path, init) => (await fetch("https://api.stripe.com" + path, init)).json();
  const confirm = (key, secret, fields) => call("/v1/payment_intents/" + idOf(secret) + "/confirm", {
    method: "POST", body: new URLSearchParams({ key, client_secret: secret, ...fields }),
  });
  const told = (answer) => (answer.error ? { error: answer.error } : { paymentIntent: answer });
  const bank = () => new Promise((done) => {
    const window = document.createElement("dialog");
    window.id = "standin-bank";
    window.setAttribute("aria-label", "3-D Secure");
    for (const answer of ["pass", "fail"]) {
      const button = document.createElement("button");
      button.textContent = answer;
      button.addEventListener("click", () => { window.remove(); done(answer); });
      window.append(button);
    }
    document.body.append(window);
    window.showModal();
  });
  const authenticated = async (key, secret, intent) =>
    intent.status === "requires_action" && intent.next_action.type === "use_stripe_sdk"
      ? confirm(key, secret, { authentication: await bank() })
      : intent;
  window.Stripe = (key) => ({
    registerAppInfo() {},
    _registerWrapper() {},
    elements: ({ clientSecret }) => ({
      clientSecret,
      create: element,
      submit: async () => (card.number.length < 12 ? { error: { type: "validation_error" } } : {}),
    }),
    retrievePaymentIntent: async (secret) =>
      told(await call("/v1/payment_intents/" + idOf(secret) + "?" + new URLSearchParams({ key, client_secret: secret }))),
    handleNextAction: async ({ clientSecret }) =>
      told(await authenticated(key, clientSecret, { status: "requires_action", next_action: { type: "use_stripe_sdk" } })),
    confirmPayment: async ({ elements: { clientSecret } }) => {
      const method = card.number.startsWith("pm_")
        ? { payment_method: card.number }
        : { "payment_method_data[type]": "card", "payment_method_data[card][number]": card.number };
      const confirmed = await confirm(key, clientSecret, method);
      return told(confirmed.error ? confirmed : await authenticated(key, clientSecret, confirmed));
    },
  });
})();`;
