import { useI18n } from "../../i18n/i18n.tsx";
import type { PageOf } from "../../page.ts";
import { Link } from "../Link.tsx";
import { Blocks } from "./Blocks.tsx";
import { PostLine } from "./Posts.tsx";
import "./content.css";

/** `/blog/{post}`. */
export default function PostPage({ page }: { page: PageOf<"post"> }) {
  const { t } = useI18n();
  const { post, blocks, more } = page.data;
  return (
    <main id="main" className="wrap words-page">
      <article className="words-page">
        <header className="words-lead">
          <h1>{post.title}</h1>
          <PostLine post={post} />
        </header>
        <div className="words">
          <Blocks blocks={blocks} />
        </div>
      </article>
      <nav className="words-more" aria-labelledby="words-more">
        <h2 className="t-18" id="words-more">
          {t("content.more_posts")}
        </h2>
        <ul className="stack g8">
          {more.map((other) => (
            <li key={other.href}>
              <Link href={other.href}>{other.title}</Link>
            </li>
          ))}
          <li>
            <Link href="/blog">{t("content.all_posts")}</Link>
          </li>
        </ul>
      </nav>
    </main>
  );
}
