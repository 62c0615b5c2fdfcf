import { type ComponentType, Fragment, type ReactNode } from "react";
import type { TextBlock, TextRun } from "../contract/wire.ts";

/** Draws where words lead: the site and the workspace follow a link in different ways. */
export type WordLink = ComponentType<{ href: string; children: ReactNode }>;

interface TextBlocksProps {
  blocks: readonly TextBlock[];
  link: WordLink;
}

/** A text as its blocks: markup comes from here alone. */
export function TextBlocks({ blocks, link }: TextBlocksProps) {
  return blocks.map((block, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of one text never move
    <Block key={at} block={block} link={link} />
  ));
}

function Block({ block, link }: { block: TextBlock; link: WordLink }): ReactNode {
  const { kind, id, runs, items, first } = block;
  const named = id === null ? {} : { id };
  const words = <Runs runs={runs} link={link} />;
  const lines = items.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the items of one list never move
    <li key={at}>
      <Runs runs={item} link={link} />
    </li>
  ));
  switch (kind) {
    case "section":
      return <h2 {...named}>{words}</h2>;
    case "question":
      return <h3 {...named}>{words}</h3>;
    case "bullets":
      return <ul>{lines}</ul>;
    case "steps":
      return <ol start={first ?? 1}>{lines}</ol>;
    case "quote":
      return <blockquote>{words}</blockquote>;
    case "paragraph":
      return <p>{words}</p>;
  }
}

function Runs({ runs, link: Way }: { runs: readonly TextRun[]; link: WordLink }) {
  return runs.map((run, at) => {
    const words = run.is_strong ? <b className="m">{run.text}</b> : run.text;
    // biome-ignore lint/suspicious/noArrayIndexKey: the words of one block never move
    return <Fragment key={at}>{run.href === null ? words : <Way href={run.href}>{words}</Way>}</Fragment>;
  });
}
