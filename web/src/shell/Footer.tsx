import { useChrome } from "../PageTree.tsx";

/** Places, company and legal lines. */
export function Footer() {
  const { brand_name } = useChrome();
  return (
    <footer className="site-foot">
      <div className="wrap">{brand_name}</div>
    </footer>
  );
}
