import booking from "../../../i18n/en/booking.json";
import lead from "../../../i18n/en/lead.json";
import payment from "../../../i18n/en/payment.json";
import stay from "../../../i18n/en/stay.json";
import { fill, type MessageParams } from "../i18n/message.ts";

const texts = { ...booking, ...lead, ...payment, ...stay };

/** A text as the shop's pages show it: a test names the key, and the words may change. */
export const inEnglish = (key: keyof typeof texts, params: MessageParams = {}) => fill(texts[key], params, "en");
