// The enquiry of the workloads, as `measure/src/enquiry.rs` writes it.
const STEPS = ["BOOK_FORM", "PAYMENT_FORM_DETAILS", "PAYMENT_INITIATED", "PAYMENT_SUCCESS"];

export function submitted(number) {
  const person = number % 100_000;
  return {
    inventory_id: 100_000 + (number % 90_000),
    region_id: number % 1_500,
    user: {
      name: `Student Number ${person}`,
      email: `student.${person}@example-university.example`,
      phone: `+44 7700 9${String(person).padStart(5, "0")}`,
    },
    move_in_date: "2027-09-12",
    lease_duration: 44,
    budget_minor: 27_500,
    currency: "GBP",
    university: "University of Somewhere, Main Campus",
    intake: "july_to_september",
    lead_source: "property_page_book_now",
    source: {
      final_url: "https://rooms.example/places/some-residence-london-2201/form?lease_duration=44",
      referrer: "https://www.search.example/",
      utm_source: "search",
      utm_medium: "cpc",
      utm_campaign: "uk-london-students-2027",
      gclid: "EAIaIQobChMI0f7",
    },
  };
}

export function advanced(number) {
  return {
    step: STEPS[number % 4],
    amount_minor: 25_907,
    currency: "GBP",
    actor: "student",
    note: "deposit via card provider, retry none",
  };
}
