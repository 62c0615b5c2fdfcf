import { useChrome } from "../../pageContext.ts";

/** The mark of the brand; without one the arch, the one shape of the face that ships. */
export function Logo() {
  const { brand } = useChrome();
  if (brand) return <img src={brand.mark.url} alt="" width={brand.mark.width} height={brand.mark.height} />;
  return (
    <svg width="34" height="34" viewBox="0 0 34 34" aria-hidden="true">
      <path d="M3 32V17a14 14 0 0 1 28 0v15H3Z" fill="#FFB224" />
      <path d="M11 32V18a6 6 0 0 1 12 0v14H11Z" fill="#17181C" />
      <circle cx="19.6" cy="24" r="1.4" fill="#FFB224" />
    </svg>
  );
}
