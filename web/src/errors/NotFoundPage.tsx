import type { PageOf } from "../page.ts";

export default function NotFoundPage({ page }: { page: PageOf<"not_found"> }) {
  return (
    <main id="main" className="wrap">
      <h1>{page.head.title}</h1>
    </main>
  );
}
