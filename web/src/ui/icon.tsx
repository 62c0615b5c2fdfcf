import type { more } from "./moreIcons.ts";

/** Drawings on a 24 grid, 1.75 stroke, round joins. They are our own; the string is what stands inside the `<svg>`. */
const core = {
  alert: `<circle cx="12" cy="12" r="8.25"/><path d="M12 7.75v5M12 16v.1"/>`,
  building: `<path d="M5 20.5V5.25c0-.7.55-1.25 1.25-1.25h7.5c.7 0 1.25.55 1.25 1.25V20.5M15 10h2.75c.7 0 1.25.55 1.25 1.25v9.25M3.5 20.5h17M8.5 8h3M8.5 12h3M8.5 16h3"/>`,
  bus: `<rect x="5" y="4" width="14" height="13.5" rx="2.5"/><path d="M5 12h14M8 17.5V20M16 17.5V20M8.5 14.8h.1M15.5 14.8h.1"/>`,
  cap: `<path d="m2.5 9.5 9.5-4.5 9.5 4.5-9.5 4.5-9.5-4.5Z"/><path d="M6.5 11.7v4.3c1.4 1.5 3.3 2.25 5.5 2.25s4.1-.75 5.5-2.25v-4.3M21.5 9.5v5"/>`,
  check: `<path d="m5 12.5 4.7 4.7L19 7.5"/>`,
  "chev-d": `<path d="m5.5 9 6.5 6.5L18.5 9"/>`,
  "chev-l": `<path d="M15 5.5 8.5 12l6.5 6.5"/>`,
  "chev-r": `<path d="m9 5.5 6.5 6.5L9 18.5"/>`,
  "chev-u": `<path d="m5.5 15 6.5-6.5 6.5 6.5"/>`,
  grid: `<rect x="4" y="4" width="6.5" height="6.5" rx="1.5"/><rect x="13.5" y="4" width="6.5" height="6.5" rx="1.5"/><rect x="4" y="13.5" width="6.5" height="6.5" rx="1.5"/><rect x="13.5" y="13.5" width="6.5" height="6.5" rx="1.5"/>`,
  heart: `<path d="M12 20s-7.5-4.6-7.5-10.2A4.3 4.3 0 0 1 12 7.2a4.3 4.3 0 0 1 7.5 2.6C19.5 15.4 12 20 12 20Z"/>`,
  info: `<circle cx="12" cy="12" r="8.25"/><path d="M12 11.25v5M12 8v.1"/>`,
  map: `<path d="m9 5-5.25 2.25v12L9 17l6 2.25 5.25-2.25V5L15 7.25 9 5ZM9 5v12M15 7.25v12"/>`,
  menu: `<path d="M4 7h16M4 12h16M4 17h16"/>`,
  minus: `<path d="M5 12h14"/>`,
  ok: `<circle cx="12" cy="12" r="8.25"/><path d="m8.3 12.3 2.6 2.6 4.9-5.3"/>`,
  pin: `<path d="M12 21s6.75-5.6 6.75-11A6.75 6.75 0 0 0 5.25 10c0 5.4 6.75 11 6.75 11Z"/><circle cx="12" cy="10" r="2.4"/>`,
  plus: `<path d="M12 5v14M5 12h14"/>`,
  search: `<circle cx="11" cy="11" r="6.5"/><path d="m20 20-4.3-4.3"/>`,
  sliders: `<path d="M4 7.5h9M18 7.5h2M4 16.5h2M11 16.5h9"/><circle cx="15.5" cy="7.5" r="2.5"/><circle cx="8.5" cy="16.5" r="2.5"/>`,
  star: `<path d="m12 3.2 2.7 5.7 6.1.8-4.5 4.3 1.1 6.2L12 17.2l-5.4 3 1.1-6.2-4.5-4.3 6.1-.8L12 3.2Z"/>`,
  user: `<circle cx="12" cy="8.5" r="3.75"/><path d="M4.75 20c.6-3.7 3.5-5.75 7.25-5.75s6.65 2.05 7.25 5.75"/>`,
  walk: `<circle cx="13" cy="4.6" r="1.6"/><path d="m9.5 21 2.3-6M15.5 21l-1.5-4.5-2.7-2.5 1-5-3.3 1.7L8 13M12.3 9l1.7 2.5 3 1"/>`,
  x: `<path d="m6 6 12 12M18 6 6 18"/>`,
} as const;

export type IconName = keyof typeof core | keyof typeof more;

// Home and search need few drawings; the others come with the pages that show them (`routes.tsx`).
const drawings = new Map<string, string>(Object.entries(core));

/** Puts a page's drawings beside those that are always there. */
export function addDrawings(added: Record<string, string>): void {
  for (const [name, inside] of Object.entries(added)) drawings.set(name, inside);
}

type Size = 16 | 20 | 24 | 32;

/** A drawing beside a word: never read aloud. An icon that stands alone gets its name from its button. */
export function Icon({ name, size = 24, className = "" }: { name: IconName; size?: Size; className?: string }) {
  return <Drawing inside={drawings.get(name) ?? ""} size={size} className={className} />;
}

/** For icons that only one chunk needs: the chunk brings the drawing. */
export function Drawing({ inside, size = 24, className = "" }: { inside: string; size?: Size; className?: string }) {
  const sized = size === 24 ? "" : ` i-${size}`;
  return (
    <svg
      className={`i${sized} ${className}`.trim()}
      viewBox="0 0 24 24"
      aria-hidden="true"
      dangerouslySetInnerHTML={{ __html: inside }}
    />
  );
}
