import { Fragment, type ReactNode } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import type { MessageKey } from "../../i18n/keys.ts";
import type { MessageParams } from "../../i18n/message.ts";

const MARK = "\u0001";

interface RichProps {
  k: MessageKey;
  /** Nodes that take the place of placeholders: a link, a bold name. */
  nodes: Record<string, ReactNode>;
  params?: MessageParams;
}

/** A text whose placeholders are filled with elements, each language in its own word order. */
export function Rich({ k, nodes, params = {} }: RichProps) {
  const { t } = useI18n();
  const names = Object.keys(nodes);
  const marks = Object.fromEntries(names.map((name) => [name, `${MARK}${name}${MARK}`]));
  const pieces = t(k, { ...params, ...marks }).split(MARK);
  return pieces.map((piece, at) => {
    const node = at % 2 === 1 ? nodes[piece] : piece;
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move
    return <Fragment key={at}>{node}</Fragment>;
  });
}
