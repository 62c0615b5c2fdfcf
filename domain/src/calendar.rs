//! Calendar days and months as they are sent: one strict reading for every form, filter, address and file.

use chrono::NaiveDate;

/// A day written `yyyy-mm-dd`: four, two and two digits, and a day that the calendar has. `chrono` by itself also reads `2027-9-11`,
/// blanks between the numbers and signs before the year.
pub fn read_day(text: &str) -> Option<NaiveDate> {
    let is_in_form = |(place, byte): (usize, u8)| match place {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    if text.len() == 10 && text.bytes().enumerate().all(is_in_form) {
        text.parse().ok()
    } else {
        None
    }
}

/// The first day of a month written `yyyy-mm`.
pub fn read_month(text: &str) -> Option<NaiveDate> {
    read_day(&format!("{text}-01"))
}

/// What a stored enquiry says of moving in, in the form of today: enquiries were once taken with `2027-9-11` and `2027-9`. What is
/// neither a day nor a month stays as it is.
pub fn in_form_of_today(stored: &str) -> String {
    let text = stored.trim();
    if let Ok(day) = text.parse::<NaiveDate>() {
        return day.to_string();
    }
    let first = format!("{text}-01").parse::<NaiveDate>();
    first.map_or_else(|_| text.to_owned(), |first| first.format("%Y-%m").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_is_read_in_one_form_alone() {
        assert_eq!(read_day("2027-09-11"), NaiveDate::from_ymd_opt(2027, 9, 11));
        assert_eq!(read_day("2028-02-29"), NaiveDate::from_ymd_opt(2028, 2, 29));
        for text in [
            "2027-9-11",
            "2027-09-1",
            "2027- 9-11",
            "2027-09- 1",
            " 2027-09-11",
            "2027-09-11 ",
            "+2027-9-11",
            "+2027-09-1",
            "+10000-01-01",
            "20270-9-11",
            "-027-09-11",
            "2027/09/11",
            "2027-09-11T00:00:00Z",
            "2027-02-29",
            "2027-13-01",
            "2027-00-10",
            "２０２７-09-11",
            "2027-09",
            "",
        ] {
            assert_eq!(read_day(text), None, "{text}");
        }
    }

    #[test]
    fn month_is_read_in_one_form_alone() {
        assert_eq!(read_month("2027-09"), NaiveDate::from_ymd_opt(2027, 9, 1));
        for text in ["2027-9", "2027-09-11", "2027-13", "+2027-9", "2027", ""] {
            assert_eq!(read_month(text), None, "{text}");
        }
    }

    #[test]
    fn stored_move_in_gets_the_form_of_today() {
        for (stored, today) in [
            ("2027-9-11", "2027-09-11"),
            ("2027-09-11", "2027-09-11"),
            ("2027-9", "2027-09"),
            ("2027-09", "2027-09"),
            ("july_to_september 2027", "july_to_september 2027"),
            ("soon", "soon"),
            ("", ""),
        ] {
            assert_eq!(in_form_of_today(stored), today, "{stored}");
        }
    }
}
