import { useI18n } from "../../i18n/i18n.tsx";
import type { PageOf } from "../../page.ts";
import { Link } from "../Link.tsx";
import { Posts } from "./Posts.tsx";
import "./content.css";

/** `/blog`, and the posts of an author or with a tag. */
export default function BlogPage({ page }: { page: PageOf<"blog"> }) {
  const { t } = useI18n();
  const { title, lead, is_part, posts } = page.data;
  return (
    <main id="main" className="wrap words-page">
      <header className="words-lead">
        <h1>{title}</h1>
        {lead === null ? null : <p className="t-18 soft">{lead}</p>}
      </header>
      <Posts posts={posts} />
      <p className="t-14">
        {is_part ? (
          <Link href="/blog">{t("content.all_posts")}</Link>
        ) : (
          <a href="/blog/feed.xml">{t("content.feed")}</a>
        )}
      </p>
    </main>
  );
}
