import type { PropertyPage } from "../../contract/wire.ts";

/** The language of a text that is not there in the reader's (D132), for `lang`: it is read aloud as what it is. */
export const langOf = ({ foreign_texts }: Pick<PropertyPage, "foreign_texts">, text: string): string | undefined =>
  foreign_texts.find((foreign) => foreign.text === text)?.lang;
