import { createContext, type ReactNode, useContext, useMemo } from "react";
import type { Lang } from "../contract/wire.ts";
import { text } from "./catalogue.ts";
import * as format from "./format.ts";
import type { MessageKey } from "./keys.ts";
import { FALLBACK } from "./languages.ts";
import type { MessageParams } from "./message.ts";

/** Translates a key; numbers in `params` choose plural forms. */
export type Translate = (key: MessageKey, params?: MessageParams) => string;

interface Language {
  lang: Lang;
  t: Translate;
  /** For keys that come with data, such as a timeline sentence: same texts, not checked by the compiler. */
  tData: (key: string, params?: MessageParams) => string;
}

const LanguageContext = createContext<Language>(speak(FALLBACK));

function speak(lang: Lang): Language {
  return {
    lang,
    t: (key, params = {}) => text(lang, key, params),
    tData: (key, params = {}) => text(lang, key, params),
  };
}

/** Gives everything below it one language. */
export function LanguageProvider({ lang, children }: { lang: Lang; children: ReactNode }) {
  const language = useMemo(() => speak(lang), [lang]);
  return <LanguageContext.Provider value={language}>{children}</LanguageContext.Provider>;
}

/** The page's language and its texts. */
export function useI18n(): Language {
  return useContext(LanguageContext);
}

/** Numbers, dates and money as this page's language writes them. */
export function useFormat() {
  const { lang } = useI18n();
  return useMemo(
    () => ({
      number: (n: number) => format.number(n, lang),
      rating: (n: number) => format.rating(n, lang),
      money: (minor: number, price: format.MoneyLook) => format.money(minor, price, lang),
      date: (iso: string, style: "day" | "short" | "month" = "day") => format.date(iso, style, lang),
      month: (month: string, width?: "long" | "short") => format.month(month, lang, width),
    }),
    [lang],
  );
}
