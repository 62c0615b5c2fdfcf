import { createContext } from "react";
import type { SentDocument } from "../../contract/wire.ts";

/** What a file field needs of the page around it. */
export interface Documents {
  known: readonly SentDocument[];
  /** Tells what part of it has left this device, 0 to 1. */
  send: (file: File, onSent: (part: number) => void) => Promise<SentDocument>;
  /** Takes it back: its bytes are deleted. */
  remove: (id: string) => Promise<unknown>;
}

export const DocumentsContext = createContext<Documents>({
  known: [],
  send: () => Promise.reject(new Error("this form takes no documents")),
  remove: () => Promise.reject(new Error("this form takes no documents")),
});
