/**
 * Since when the texts in `i18n/` hold. The terms' day is the name of their newest version in `api/platform/terms_of_use`, which
 * every payment records.
 */
export const IN_FORCE = { terms: "2026-11-29", privacy: "2026-11-29" } as const;
