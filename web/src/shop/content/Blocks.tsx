import { Fragment, type ReactNode } from "react";
import type { TextBlock, TextRun } from "../../contract/wire.ts";
import { Link } from "../Link.tsx";

/** A file of the server, which the site cannot draw as a page. */
const isFile = (href: string) => /\.(xml|txt|json)$/.test(href);

/** A text as its blocks: markup comes from here alone. */
export function Blocks({ blocks }: { blocks: readonly TextBlock[] }) {
  return blocks.map((block, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of one text never move
    <Block key={at} block={block} />
  ));
}

function Block({ block }: { block: TextBlock }): ReactNode {
  const { kind, id, runs, items, first } = block;
  const named = id === null ? {} : { id };
  const lines = items.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the items of one list never move
    <li key={at}>
      <Runs runs={item} />
    </li>
  ));
  switch (kind) {
    case "section":
      return (
        <h2 {...named}>
          <Runs runs={runs} />
        </h2>
      );
    case "question":
      return (
        <h3 {...named}>
          <Runs runs={runs} />
        </h3>
      );
    case "bullets":
      return <ul>{lines}</ul>;
    case "steps":
      return <ol start={first ?? 1}>{lines}</ol>;
    case "quote":
      return (
        <blockquote>
          <Runs runs={runs} />
        </blockquote>
      );
    case "paragraph":
      return (
        <p>
          <Runs runs={runs} />
        </p>
      );
  }
}

function Runs({ runs }: { runs: readonly TextRun[] }) {
  return runs.map((run, at) => {
    const words = run.is_strong ? <b className="m">{run.text}</b> : run.text;
    // biome-ignore lint/suspicious/noArrayIndexKey: the words of one block never move
    return <Fragment key={at}>{run.href === null ? words : <Way href={run.href}>{words}</Way>}</Fragment>;
  });
}

function Way({ href, children }: { href: string; children: ReactNode }) {
  if (href.startsWith("/") && !isFile(href)) return <Link href={href}>{children}</Link>;
  return <a href={href}>{children}</a>;
}
