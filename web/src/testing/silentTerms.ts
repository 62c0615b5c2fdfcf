/** Terms of a lease of which its source says nothing. */
export const silentTerms = {
  book_by: null,
  booking_over: false,
  deposit: null,
  ends_on: null,
  move_in_until: null,
  nothing_due: false,
};
