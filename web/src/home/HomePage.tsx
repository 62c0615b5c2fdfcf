import "./home.css";
import type { PageOf } from "../page.ts";

export default function HomePage({ page }: { page: PageOf<"home"> }) {
  return (
    <main id="main" className="wrap">
      <h1>{page.head.title}</h1>
    </main>
  );
}
