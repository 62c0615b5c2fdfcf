/** What this site asks of a storage. */
export type KeptTexts = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** A storage that lives as long as the page. */
class PageStorage implements KeptTexts {
  private readonly kept = new Map<string, string>();

  get length(): number {
    return this.kept.size;
  }

  key(index: number): string | null {
    return [...this.kept.keys()][index] ?? null;
  }

  getItem(key: string): string | null {
    return this.kept.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.kept.set(key, value);
  }

  removeItem(key: string): void {
    this.kept.delete(key);
  }
}

const forPage = { localStorage: new PageStorage(), sessionStorage: new PageStorage() };

// A browser that blocks cookies throws where its storage is only named, and some have none.
function storageOf(name: keyof typeof forPage): KeptTexts {
  try {
    return window[name] ?? forPage[name];
  } catch {
    return forPage[name];
  }
}

/** What this device keeps from visit to visit; where the browser keeps nothing, it lasts as long as the page. */
export const deviceStorage = (): KeptTexts => storageOf("localStorage");

/** What this tab keeps over a reload; where the browser keeps nothing, it lasts as long as the page. */
export const tabStorage = (): KeptTexts => storageOf("sessionStorage");

/** Whether this tab keeps anything over a reload. */
export const isTabKept = (): boolean => tabStorage() !== forPage.sessionStorage;
