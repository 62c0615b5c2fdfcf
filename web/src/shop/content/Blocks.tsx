import type { ReactNode } from "react";
import type { TextBlock } from "../../contract/wire.ts";
import { TextBlocks } from "../../ui/textBlocks.tsx";
import { Link } from "../Link.tsx";

/** A file of the server, which the site cannot draw as a page. */
const isFile = (href: string) => /\.(xml|txt|json)$/.test(href);

/** A text of the site: links into it are followed without a reload. */
export function Blocks({ blocks }: { blocks: readonly TextBlock[] }) {
  return <TextBlocks blocks={blocks} link={Way} />;
}

function Way({ href, children }: { href: string; children: ReactNode }) {
  if (href.startsWith("/") && !isFile(href)) return <Link href={href}>{children}</Link>;
  return <a href={href}>{children}</a>;
}
