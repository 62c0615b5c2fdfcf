import "./search.css";
import type { PageOf } from "../page.ts";

export default function SearchPage({ page }: { page: PageOf<"search"> }) {
  return (
    <main id="main" className="wrap">
      <h1>{page.head.title}</h1>
    </main>
  );
}
