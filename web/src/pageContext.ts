import { createContext, useContext } from "react";
import type { Chrome, PagePayload } from "./contract/wire.ts";

/** The page on screen, for what stands anywhere in it. */
export const PageContext = createContext<PagePayload | null>(null);

/** Brand, language and menus of the page on screen. */
export function useChrome(): Chrome {
  const page = useContext(PageContext);
  if (!page) throw new Error("useChrome outside a page");
  return page.chrome;
}
