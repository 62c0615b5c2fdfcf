import type { PageOf } from "../page.ts";

export default function ServerErrorPage({ page }: { page: PageOf<"server_error"> }) {
  return (
    <main id="main" className="wrap">
      <h1>{page.head.title}</h1>
    </main>
  );
}
