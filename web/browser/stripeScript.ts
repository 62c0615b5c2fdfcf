/** What stands for Stripe's own script in a story: the few calls of it that the page makes, with one field for the card. */
export const stripeScript = `(() => {
  const card = { number: "" };
  const element = (type) => {
    const heard = {};
    let field = null;
    const tell = (event, told) => (heard[event] ?? []).forEach((act) => act(told));
    return {
      on(event, act) { (heard[event] ??= []).push(act); return this; },
      mount(place) {
        if (type === "payment") {
          field = document.createElement("label");
          field.append("Card number ");
          const input = document.createElement("input");
          input.inputMode = "numeric";
          input.addEventListener("input", () => { card.number = input.value.replaceAll(" ", ""); });
          field.append(input);
          place.append(field);
        }
        queueMicrotask(() => tell("ready", { elementType: type, availablePaymentMethods: undefined }));
      },
      destroy() { field?.remove(); },
    };
  };
  const call = async (path, fields) => {
    const answer = await fetch("https://api.stripe.com" + path, { method: "POST", body: new URLSearchParams(fields) });
    return answer.json();
  };
  window.Stripe = (key) => ({
    registerAppInfo() {},
    _registerWrapper() {},
    elements: ({ clientSecret }) => ({
      clientSecret,
      create: element,
      submit: async () => (card.number.length < 15 ? { error: { type: "validation_error" } } : {}),
    }),
    confirmPayment: async ({ elements: { clientSecret } }) => {
      const intent = clientSecret.split("_secret_")[0];
      const confirmed = await call("/v1/payment_intents/" + intent + "/confirm", {
        key, client_secret: clientSecret, "payment_method_data[type]": "card", "payment_method_data[card][number]": card.number,
      });
      return confirmed.error ? { error: confirmed.error } : { paymentIntent: confirmed };
    },
  });
})();`;
