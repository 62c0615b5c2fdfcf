import type { PostCard } from "../../contract/wire.ts";
import { useFormat } from "../../i18n/i18n.tsx";
import { Link } from "../Link.tsx";

/** Posts as a list, each with its day and its tags. */
export function Posts({ posts }: { posts: readonly PostCard[] }) {
  return (
    <ul className="posts">
      {posts.map((post) => (
        <li key={post.href} className="stack g8">
          <h2 className="t-22">
            <Link href={post.href}>{post.title}</Link>
          </h2>
          <p className="soft">{post.description}</p>
          <PostLine post={post} />
        </li>
      ))}
    </ul>
  );
}

/** When a post was written, by whom, and about what. */
export function PostLine({ post }: { post: PostCard }) {
  const format = useFormat();
  return (
    <p className="row wrapx t-14 muted">
      <time dateTime={post.written_on}>{format.date(post.written_on)}</time>
      <Link href={post.author.href}>{post.author.name}</Link>
      {post.tags.map((tag) => (
        <Link key={tag.href} className="chip chip-dense" href={tag.href}>
          {tag.name}
        </Link>
      ))}
    </p>
  );
}
