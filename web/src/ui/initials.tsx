import { Icon } from "./icon.tsx";

/** What stands in somebody's round: the first letters of their name or address, or a figure where it has none. */
export function Initials({ of }: { of: string }) {
  const letters = initials(of);
  return letters ? letters : <Icon name="user" size={20} />;
}

/** PN for Priya Nair and priya.nair@example.org; nothing for a phone number. */
export function initials(name: string): string {
  const words = (name.split("@")[0] ?? "").split(/[\s._-]+/).filter((word) => /^\p{L}/u.test(word));
  const last = words.length > 1 ? words[words.length - 1] : undefined;
  return [words[0], last]
    .map((word) => (word ? ([...word][0] ?? "") : ""))
    .join("")
    .toUpperCase();
}
