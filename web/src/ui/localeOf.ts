/** A language for the browser's own `Intl`, where the server prints nothing: `en-GB`. */
export const localeOf = (lang: string): string => PAGE_LOCALES[lang] ?? lang;
