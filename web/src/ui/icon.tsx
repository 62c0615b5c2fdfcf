/** Drawings on a 24 grid, 1.75 stroke, round joins. They are our own; the string is what stands inside the `<svg>`. */
const drawings = {
  alert: `<circle cx="12" cy="12" r="8.25"/><path d="M12 7.75v5M12 16v.1"/>`,
  bank: `<path d="m3.75 9.25 8.25-4.75 8.25 4.75H3.75ZM6 12v5M10 12v5M14 12v5M18 12v5M3.75 20h16.5"/>`,
  bike: `<circle cx="6" cy="16" r="3.5"/><circle cx="18" cy="16" r="3.5"/><path d="m6 16 3.5-7h5L18 16M9 11.5l4 4.5h-7M14.5 9l-1-2.75h-2"/>`,
  bolt: `<path d="M13 3.5 5.5 13.5H11l-1 7 7.5-10H12l1-7Z"/>`,
  building: `<path d="M5 20.5V5.25c0-.7.55-1.25 1.25-1.25h7.5c.7 0 1.25.55 1.25 1.25V20.5M15 10h2.75c.7 0 1.25.55 1.25 1.25v9.25M3.5 20.5h17M8.5 8h3M8.5 12h3M8.5 16h3"/>`,
  bus: `<rect x="5" y="4" width="14" height="13.5" rx="2.5"/><path d="M5 12h14M8 17.5V20M16 17.5V20M8.5 14.8h.1M15.5 14.8h.1"/>`,
  cal: `<rect x="4" y="5.5" width="16" height="14.5" rx="2"/><path d="M4 10h16M8.5 3.75v3.5M15.5 3.75v3.5"/>`,
  cap: `<path d="m2.5 9.5 9.5-4.5 9.5 4.5-9.5 4.5-9.5-4.5Z"/><path d="M6.5 11.7v4.3c1.4 1.5 3.3 2.25 5.5 2.25s4.1-.75 5.5-2.25v-4.3M21.5 9.5v5"/>`,
  car: `<path d="M4.5 16.5v-4L6.3 7.6A1.6 1.6 0 0 1 7.8 6.5h8.4c.7 0 1.3.45 1.5 1.1l1.8 4.9v4M3.75 12.5h16.5v5H3.75zM6.75 17.5v1.75M17.25 17.5v1.75"/>`,
  card: `<rect x="3.25" y="5.5" width="17.5" height="13" rx="2"/><path d="M3.25 10h17.5M6.75 14.75h3"/>`,
  cart: `<path d="M3.5 4.5h2.25l2.1 10.25h9.65l2-7.25H6.5"/><circle cx="9" cy="18.75" r="1.25"/><circle cx="16" cy="18.75" r="1.25"/>`,
  check: `<path d="m5 12.5 4.7 4.7L19 7.5"/>`,
  "chev-d": `<path d="m5.5 9 6.5 6.5L18.5 9"/>`,
  "chev-l": `<path d="M15 5.5 8.5 12l6.5 6.5"/>`,
  "chev-r": `<path d="m9 5.5 6.5 6.5L9 18.5"/>`,
  "chev-u": `<path d="m5.5 15 6.5-6.5 6.5 6.5"/>`,
  clock: `<circle cx="12" cy="12" r="8.25"/><path d="M12 7.25V12l3.25 2"/>`,
  "cloud-ok": `<path d="M7 18.5a4 4 0 0 1-.6-7.95 5.75 5.75 0 0 1 11.15 1.05A3.5 3.5 0 0 1 17 18.5H7Z"/><path d="m9.5 13.7 1.9 1.9 3.4-3.6"/>`,
  desk: `<path d="M3.5 12h17M5 12v7.5M19 12v7.5M14 12v4h5M9 12V9.5M6.5 6.5h5l1.25 3h-7.5l1.25-3Z"/>`,
  door: `<path d="M6 20.5V10a6 6 0 0 1 12 0v10.5M3.75 20.5h16.5"/><path d="M14.5 13.2v.1"/>`,
  eye: `<path d="M2.75 12S6 5.75 12 5.75 21.25 12 21.25 12 18 18.25 12 18.25 2.75 12 2.75 12Z"/><circle cx="12" cy="12" r="2.75"/>`,
  file: `<path d="M6.5 3.75h7l4 4v11.25c0 .7-.55 1.25-1.25 1.25h-9.75c-.7 0-1.25-.55-1.25-1.25V5c0-.7.55-1.25 1.25-1.25ZM13.5 3.75V8h4M8.5 12.5h6M8.5 16h4"/>`,
  gift: `<rect x="4.5" y="11" width="15" height="9" rx="1.5"/><path d="M3.5 7.75h17V11h-17zM12 7.75V20M12 7.75S10.8 3.5 8.4 3.75C6 4 6.5 7.75 9 7.75h3Zm0 0s1.2-4.25 3.6-4C18 4 17.5 7.75 15 7.75h-3Z"/>`,
  grid: `<rect x="4" y="4" width="6.5" height="6.5" rx="1.5"/><rect x="13.5" y="4" width="6.5" height="6.5" rx="1.5"/><rect x="4" y="13.5" width="6.5" height="6.5" rx="1.5"/><rect x="13.5" y="13.5" width="6.5" height="6.5" rx="1.5"/>`,
  gym: `<path d="M7 8v8M4 10v4M17 8v8M20 10v4M7 12h10"/>`,
  headset: `<path d="M4.5 15v-3a7.5 7.5 0 0 1 15 0v3M4.5 14h3v5h-1.5a1.5 1.5 0 0 1-1.5-1.5V14ZM16.5 14h3v3.5a1.5 1.5 0 0 1-1.5 1.5h-1.5v-5ZM18 19c0 1-1.5 1.75-4 1.75"/>`,
  heart: `<path d="M12 20s-7.5-4.6-7.5-10.2A4.3 4.3 0 0 1 12 7.2a4.3 4.3 0 0 1 7.5 2.6C19.5 15.4 12 20 12 20Z"/>`,
  hourglass: `<path d="M7 4h10M7 20h10M8 4c0 4.5 8 5.5 8 8s-8 3.5-8 8M16 4c0 4.5-8 5.5-8 8s8 3.5 8 8"/>`,
  info: `<circle cx="12" cy="12" r="8.25"/><path d="M12 11.25v5M12 8v.1"/>`,
  key: `<circle cx="8" cy="15.5" r="4"/><path d="m11 12.5 8-8M16 7.5l2.5 2.5M13.5 10l1.5 1.5"/>`,
  lock: `<rect x="5" y="10.5" width="14" height="9.75" rx="2"/><path d="M8 10.5V8a4 4 0 0 1 8 0v2.5"/>`,
  map: `<path d="m9 5-5.25 2.25v12L9 17l6 2.25 5.25-2.25V5L15 7.25 9 5ZM9 5v12M15 7.25v12"/>`,
  menu: `<path d="M4 7h16M4 12h16M4 17h16"/>`,
  minus: `<path d="M5 12h14"/>`,
  ok: `<circle cx="12" cy="12" r="8.25"/><path d="m8.3 12.3 2.6 2.6 4.9-5.3"/>`,
  pin: `<path d="M12 21s6.75-5.6 6.75-11A6.75 6.75 0 0 0 5.25 10c0 5.4 6.75 11 6.75 11Z"/><circle cx="12" cy="10" r="2.4"/>`,
  plus: `<path d="M12 5v14M5 12h14"/>`,
  search: `<circle cx="11" cy="11" r="6.5"/><path d="m20 20-4.3-4.3"/>`,
  share: `<path d="M12 14.5V4M8.25 7.25 12 3.75l3.75 3.5M5 12.5v5.75c0 .7.55 1.25 1.25 1.25h11.5c.7 0 1.25-.55 1.25-1.25V12.5"/>`,
  shield: `<path d="M12 3.75 5 6.25v5.25c0 4.2 2.9 7.3 7 8.75 4.1-1.45 7-4.55 7-8.75V6.25l-7-2.5Z"/><path d="m9 12 2.2 2.2L15.2 10"/>`,
  sliders: `<path d="M4 7.5h9M18 7.5h2M4 16.5h2M11 16.5h9"/><circle cx="15.5" cy="7.5" r="2.5"/><circle cx="8.5" cy="16.5" r="2.5"/>`,
  star: `<path d="m12 3.2 2.7 5.7 6.1.8-4.5 4.3 1.1 6.2L12 17.2l-5.4 3 1.1-6.2-4.5-4.3 6.1-.8L12 3.2Z"/>`,
  tag: `<path d="M4 11.5V5.25C4 4.55 4.55 4 5.25 4h6.25l8.5 8.5-7.5 7.5L4 11.5Z"/><path d="M8.5 8.5v.1"/>`,
  train: `<rect x="6" y="3.75" width="12" height="13" rx="3"/><path d="M6 11h12M9 14h.1M15 14h.1M8.5 17 6.5 20.25M15.5 17l2 3.25"/>`,
  tree: `<path d="M12 20.5v-5M12 15.5a5.5 5.5 0 0 1-2.5-10.4 3.5 3.5 0 0 1 6.3 1.4A4.75 4.75 0 0 1 14.5 15.5H12Z"/>`,
  user: `<circle cx="12" cy="8.5" r="3.75"/><path d="M4.75 20c.6-3.7 3.5-5.75 7.25-5.75s6.65 2.05 7.25 5.75"/>`,
  users: `<circle cx="9" cy="9" r="3.25"/><path d="M3 19.25c.45-3.2 2.85-5 6-5s5.55 1.8 6 5M15.5 5.95a3.25 3.25 0 0 1 0 6.1M17.25 14.6c2.1.6 3.4 2.2 3.75 4.65"/>`,
  video: `<rect x="3.5" y="6.5" width="11.5" height="11" rx="2"/><path d="m15 11 5.5-3.25v8.5L15 13"/>`,
  walk: `<circle cx="13" cy="4.6" r="1.6"/><path d="m9.5 21 2.3-6M15.5 21l-1.5-4.5-2.7-2.5 1-5-3.3 1.7L8 13M12.3 9l1.7 2.5 3 1"/>`,
  wallet: `<rect x="6.5" y="3.25" width="11" height="17.5" rx="2.5"/><path d="M10.5 17.5h3"/>`,
  wash: `<rect x="5" y="3.75" width="14" height="16.5" rx="2"/><circle cx="12" cy="13.25" r="3.75"/><path d="M8 7h.1M11 7h.1"/>`,
  wifi: `<path d="M3.75 9.75a12 12 0 0 1 16.5 0M6.75 13a7.6 7.6 0 0 1 10.5 0M9.6 16.1a3.5 3.5 0 0 1 4.8 0M12 19.1v.1"/>`,
  x: `<path d="m6 6 12 12M18 6 6 18"/>`,
} as const;

export type IconName = keyof typeof drawings;

type Size = 16 | 20 | 24 | 32;

/** A drawing beside a word: never read aloud. An icon that stands alone gets its name from its button. */
export function Icon({ name, size = 24, className = "" }: { name: IconName; size?: Size; className?: string }) {
  return <Drawing inside={drawings[name]} size={size} className={className} />;
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
