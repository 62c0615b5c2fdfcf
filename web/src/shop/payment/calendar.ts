/** A calendar entry for the move-in day, as a link that downloads it. */
export function calendarFile(title: string, day: string, reference: string): string {
  const stamp = day.slice(0, 10).replaceAll("-", "");
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//bookings//move-in//EN",
    "BEGIN:VEVENT",
    `UID:${reference}`,
    `DTSTAMP:${stamp}T000000Z`,
    `DTSTART;VALUE=DATE:${stamp}`,
    `SUMMARY:${title.replace(/([,;\\])/g, "\\$1")}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return `data:text/calendar;charset=utf-8,${encodeURIComponent(lines.join("\r\n"))}`;
}
