/** Where a property's clock stands (D63): its country, and for wide countries its place. */
export function timezoneOf(countryKey: string | null, at: { lat: number; lng: number } | undefined): string {
  switch (countryKey) {
    case "uk":
      return "Europe/London";
    case "ireland":
      return "Europe/Dublin";
    case "spain":
      return "Europe/Madrid";
    case "germany":
      return "Europe/Berlin";
    case "france":
      return "Europe/Paris";
    case "us":
      return american(at?.lng ?? -74, at?.lat ?? 40);
    case "canada":
      return (at?.lng ?? -79) < -114 ? "America/Vancouver" : "America/Toronto";
    case "australia":
      return australian(at?.lng ?? 151, at?.lat ?? -34);
    case "singapore":
      return "Asia/Singapore";
    default:
      return "UTC";
  }
}

function american(lng: number, lat: number): string {
  if (lng > -86) return "America/New_York";
  if (lng > -101) return "America/Chicago";
  // Arizona keeps winter time all year.
  if (lng > -114.8) return lng < -109 && lat < 37 ? "America/Phoenix" : "America/Denver";
  return "America/Los_Angeles";
}

function australian(lng: number, lat: number): string {
  if (lng < 129) return "Australia/Perth";
  if (lng < 141) return "Australia/Adelaide";
  // Queensland keeps winter time all year.
  return lat > -28.5 ? "Australia/Brisbane" : "Australia/Sydney";
}
