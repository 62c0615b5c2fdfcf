/** Receipts and stories are written in more languages than pages, each named in itself. */
export const PAPERS = [
  ["en", "English"],
  ["zh", "中文"],
  ["es", "Español"],
  ["fr", "Français"],
  ["de", "Deutsch"],
] as const;
