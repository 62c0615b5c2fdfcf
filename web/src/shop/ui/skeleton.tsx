/** A grey shape in the place of what is on its way; the region around it carries `aria-busy`. */
export function Skeleton({
  width = "100%",
  height = 16,
  radius = 6,
}: {
  width?: string | number;
  height?: string | number;
  radius?: number;
}) {
  return (
    <span className="skeleton" style={{ display: "block", width, height, borderRadius: radius }} aria-hidden="true" />
  );
}
