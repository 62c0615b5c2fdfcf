import "./property.css";
import type { PageOf } from "../page.ts";

export default function PropertyPage({ page }: { page: PageOf<"property"> }) {
  return (
    <main id="main" className="wrap">
      <h1>{page.head.title}</h1>
    </main>
  );
}
