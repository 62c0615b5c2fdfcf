//! What demo properties say about themselves, in English and Chinese: descriptions, questions, reviews, offers.

use domain::inventory::property::{Faq, Guarantor, Policy};
use domain::wording::Wording;

use crate::dice::Dice;

type Pair = (&'static str, &'static str);

/// The tag of the second language in which the demo facts are written.
pub(crate) const SECOND: &str = "zh";

/// A text of the demo facts in both their languages.
pub(crate) fn bilingual(en: impl Into<String>, second: impl Into<String>) -> Wording {
    Wording::english(en).with(SECOND, second)
}

fn both(pair: Pair) -> Wording {
    bilingual(pair.0, pair.1)
}

/// Puts `{name}`-like places of both languages in.
fn filled(pair: Pair, values: &[(&str, &str, &str)]) -> Wording {
    let fill = |text: &str, chinese: bool| {
        values.iter().fold(text.to_owned(), |text, (key, en, zh)| {
            text.replace(key, if chinese { zh } else { en })
        })
    };
    bilingual(fill(pair.0, false), fill(pair.1, true))
}

const OPENINGS: &[Pair] = &[
    (
        "A brick building in {area}, opened in {year}.",
        "位于 {area} 的砖砌楼房，{year} 年开业。",
    ),
    (
        "A bright house on a quiet street in {area}, opened in {year}.",
        "位于 {area} 安静街道上的明亮住宅，{year} 年开业。",
    ),
    (
        "A renovated building in the middle of {area}, opened to students in {year}.",
        "位于 {area} 中心的翻新楼房，{year} 年起接待学生。",
    ),
    (
        "A purpose-built home for students in {area}, open since {year}.",
        "位于 {area} 的专建学生公寓，自 {year} 年开放。",
    ),
];

const MIDDLES: &[Pair] = &[
    (
        "Rooms face the street or a planted courtyard.",
        "房间朝向街道或绿植庭院。",
    ),
    (
        "Upper floors look over the roofs towards the centre.",
        "高层房间可俯瞰屋顶，远眺市中心。",
    ),
    (
        "The ground floor has a lounge, a study room and parcel lockers.",
        "一楼设有休息室、自习室和快递柜。",
    ),
    (
        "A tram or bus stop is a few minutes away, and so is a supermarket.",
        "电车或公交站和超市都在几分钟路程内。",
    ),
    (
        "Wide stairs, a lift and step-free access from the street.",
        "宽敞楼梯、电梯，临街出入无台阶。",
    ),
];

const CLOSINGS: &[Pair] = &[
    (
        "Kitchens are shared by a handful of people, and studios have their own.",
        "厨房由几人共用，单间公寓自带厨房。",
    ),
    (
        "Residents meet for dinner once a month; joining is up to you.",
        "住户每月聚餐一次，自愿参加。",
    ),
    (
        "Repairs reported before noon are usually done the same day.",
        "中午前报修通常当天处理。",
    ),
    (
        "Quiet hours start at 22:00 on weekdays.",
        "工作日 22:00 起为安静时段。",
    ),
];

/// Three sentences about the house.
pub(crate) fn description(area: (&str, &str), year: u16, dice: &mut Dice) -> Wording {
    let year = year.to_string();
    let values = [
        ("{area}", area.0, area.1),
        ("{year}", year.as_str(), year.as_str()),
    ];
    let parts = [OPENINGS, MIDDLES, CLOSINGS].map(|choices| dice.pick(choices).copied().unwrap_or_default());
    let sentences = parts.map(|pair| filled(pair, &values));
    let zh: String = sentences
        .iter()
        .map(|sentence| sentence.in_language(SECOND))
        .collect();
    bilingual(
        sentences
            .each_ref()
            .map(|sentence| sentence.in_language("en"))
            .join(" "),
        zh,
    )
}

const FAQS: &[(Pair, Pair)] = &[
    (
        ("When do I pay the rent?", "什么时候交租金？"),
        (
            "In instalments at the start of each term. The dates are in your contract.",
            "每学期初分期支付，日期写在合同里。",
        ),
    ),
    (
        ("Can I see the home before I decide?", "决定前可以现场看房吗？"),
        (
            "Viewings are on weekdays from 09:00 to 18:00. A live video tour is possible on the same day.",
            "工作日 09:00 至 18:00 可预约现场看房，也可当天安排实时视频看房。",
        ),
    ),
    (
        ("Can friends stay overnight?", "朋友可以留宿吗？"),
        (
            "Yes, up to three nights in a row, when your flatmates agree.",
            "可以，室友同意的话最多连续三晚。",
        ),
    ),
    (
        ("Is there bike storage?", "有地方停自行车吗？"),
        (
            "Yes, a locked room on the ground floor. Bring your own lock too.",
            "有，一楼设有带锁的自行车停放处，请自备车锁。",
        ),
    ),
    (
        ("Can I receive parcels?", "可以收快递吗？"),
        (
            "Yes. The front desk or the parcel lockers hold them for seven days.",
            "可以，前台或快递柜保管七天。",
        ),
    ),
    (
        ("Can I arrive late at night?", "可以深夜入住吗？"),
        (
            "Yes. Tell us your arrival time two days ahead, and someone will meet you with the key.",
            "可以，提前两天告知到达时间，会有人带钥匙等您。",
        ),
    ),
];

const CANCELLATION: Pair = ("Can I cancel after I book?", "预订后可以取消吗？");

/// What the house's own rules say, and no more (D40): a deposit comes back by them, a holding fee always.
const fn cancelled(policy: &Policy) -> Pair {
    match (policy.no_place_no_pay, policy.no_visa_no_pay) {
        (true, true) => (
            "Yes. Within {days} days of booking, cancelling is free and the deposit is refunded. After that, the deposit is refunded if your place at university or your visa is refused, otherwise after your stay. A holding fee is always refunded.",
            "预订后 {days} 天内可以免费取消，押金退还；之后若未获录取或签证被拒，押金也会退还，其余情况退租后退还。无论何时取消，订房费都全额退还。",
        ),
        (true, false) => (
            "Yes. Within {days} days of booking, cancelling is free and the deposit is refunded. After that, the deposit is refunded if your place at university is refused, otherwise after your stay. A holding fee is always refunded.",
            "预订后 {days} 天内可以免费取消，押金退还；之后若未获录取，押金也会退还，其余情况退租后退还。无论何时取消，订房费都全额退还。",
        ),
        (false, true) => (
            "Yes. Within {days} days of booking, cancelling is free and the deposit is refunded. After that, the deposit is refunded if your visa is refused, otherwise after your stay. A holding fee is always refunded.",
            "预订后 {days} 天内可以免费取消，押金退还；之后若签证被拒，押金也会退还，其余情况退租后退还。无论何时取消，订房费都全额退还。",
        ),
        (false, false) => (
            "Yes. Within {days} days of booking, cancelling is free and the deposit is refunded. After that, the deposit is refunded after your stay, not when you cancel. A holding fee is always refunded.",
            "预订后 {days} 天内可以免费取消，押金退还；之后取消不退押金，退租后退还。无论何时取消，订房费都全额退还。",
        ),
    }
}

/// Four to six questions with answers; the first says who may be guarantor.
pub(crate) fn faqs(
    guarantor: Guarantor,
    country: (&str, &str),
    policy: &Policy,
    bills: bool,
    dice: &mut Dice,
) -> Vec<Faq> {
    let answer: Pair = match guarantor {
        Guarantor::Local => (
            "Yes, someone aged 25 or over who lives in this country: {country}. Without a guarantor, you can pay the rent in advance in instalments.",
            "需要一位居住在{country}、年满 25 岁的担保人；没有担保人时，可以分期预付租金。",
        ),
        Guarantor::International => (
            "Yes, but your guarantor can live anywhere in the world.",
            "需要，但担保人可以居住在任何国家。",
        ),
        Guarantor::NotRequired => (
            "No, you do not need a guarantor here.",
            "不需要，这里无需担保人。",
        ),
    };
    let bills_answer: Pair = if bills {
        (
            "Heating, water, electricity and Wi-Fi are included. Laundry costs extra.",
            "暖气、水电和 Wi-Fi 已包含，洗衣另计。",
        )
    } else {
        (
            "Water is included. You pay for the electricity, heating and internet you use.",
            "水费已包含，电费、暖气和网络按用量计费。",
        )
    };
    let days = policy.cooling_off_days.to_string();
    let mut faqs = vec![
        Faq {
            question: both(("Do I need a guarantor?", "需要担保人吗？")),
            answer: filled(answer, &[("{country}", country.0, country.1)]),
        },
        Faq {
            question: both(("Are bills included?", "水电网费包含在内吗？")),
            answer: both(bills_answer),
        },
        Faq {
            question: both(CANCELLATION),
            answer: filled(cancelled(policy), &[("{days}", &days, &days)]),
        },
    ];
    let more = dice.between(1, 3) as usize;
    faqs.extend(dice.sample(FAQS, more).into_iter().map(|(question, answer)| Faq {
        question: both(*question),
        answer: both(*answer),
    }));
    faqs
}

/// What residents of a good stay write.
pub(crate) const PRAISE: &[Pair] = &[
    (
        "The walk to campus takes as long as they say, which I checked twice.",
        "步行去学校的时间和介绍一致，我确认过两次。",
    ),
    (
        "My room faced the courtyard and stayed quiet at night.",
        "我的房间朝向庭院，晚上很安静。",
    ),
    (
        "The front desk helped with parcels and a broken blind on the same day.",
        "前台当天就帮我处理了快递和坏掉的窗帘。",
    ),
    (
        "I arrived at two in the morning and someone was there with the key.",
        "我凌晨两点到达，有人拿着钥匙等我。",
    ),
    (
        "The study room has real desks and good light.",
        "自习室有正经书桌，光线很好。",
    ),
    (
        "Bills are truly included, there was no surprise in spring.",
        "费用确实全包，春天没有额外账单。",
    ),
    (
        "Fast internet, even in the evening when everybody streams.",
        "网速很快，晚上大家看视频时也一样。",
    ),
    (
        "The kitchen was cleaned every week and had enough shelves.",
        "厨房每周打扫，柜子够用。",
    ),
];

/// What they find wanting.
pub(crate) const CRITICISM: &[Pair] = &[
    ("Laundry gets busy on Sundays.", "周日洗衣房比较挤。"),
    (
        "Six people share one kitchen, so you plan around each other.",
        "六个人共用厨房，需要错开时间。",
    ),
    (
        "The price went up between my first and second year, so book early.",
        "第二年涨价了，建议早订。",
    ),
    (
        "The lift was out of order for a week in winter.",
        "冬天电梯坏了一个星期。",
    ),
    ("Windows to the street let some noise in.", "临街的窗户有些噪音。"),
    ("The desk is small for two screens.", "书桌放两台显示器有点小。"),
];

/// One sentence of praise, often one of criticism.
pub(crate) fn review(happy: bool, dice: &mut Dice) -> Wording {
    let praise = dice.pick(PRAISE).copied().unwrap_or_default();
    let criticism = dice.pick(CRITICISM).copied().unwrap_or_default();
    match (happy, dice.chance(55)) {
        (true, true) => both(praise),
        (true, false) => bilingual(
            format!("{} {}", praise.0, criticism.0),
            format!("{}{}", praise.1, criticism.1),
        ),
        (false, _) => bilingual(
            format!("{} {}", criticism.0, praise.0),
            format!("{}{}", criticism.1, praise.1),
        ),
    }
}

pub(crate) const COURSES: &[Pair] = &[
    ("Computer Science", "计算机科学"),
    ("Economics", "经济学"),
    ("Architecture", "建筑学"),
    ("Law", "法学"),
    ("Medicine", "医学"),
    ("Mechanical Engineering", "机械工程"),
    ("Business", "商科"),
    ("Psychology", "心理学"),
    ("Design", "设计"),
    ("Biology", "生物学"),
];

pub(crate) const AUTHORS: &[&str] = &[
    "Ananya S.",
    "Tomás R.",
    "Yifan L.",
    "Grace O.",
    "Liam K.",
    "Aisha M.",
    "Noah B.",
    "Mei C.",
    "Sofia P.",
    "Jonas W.",
    "Priya N.",
    "Chen X.",
    "Olivia T.",
    "Mateo G.",
    "Fatima Z.",
    "Lukas H.",
    "Emma D.",
    "Arjun V.",
    "Hana Y.",
    "Daniel F.",
    "Zoe A.",
    "Ibrahim S.",
    "Clara M.",
    "Wei Z.",
    "Nina J.",
    "Oscar L.",
    "Sara E.",
    "Rohan I.",
    "Julia K.",
    "Minh T.",
];

/// Title, description and terms of an offer worth `amount`, e.g. `£150`.
pub(crate) fn offer(cashback: bool, amount: &str, until: (&str, &str)) -> [Wording; 3] {
    let values = [("{amount}", amount, amount), ("{until}", until.0, until.1)];
    let texts: [Pair; 3] = if cashback {
        [
            ("{amount} back after move-in", "入住后返现 {amount}"),
            (
                "Book by {until} and get {amount} back two weeks after you move in.",
                "{until}前预订，入住两周后返现 {amount}。",
            ),
            (
                "One per booking. Paid to the account that the rent came from.",
                "每个订单一次，退回付租金的账户。",
            ),
        ]
    } else {
        [
            ("{amount} off your first instalment", "首期租金减 {amount}"),
            (
                "Book by {until} and pay {amount} less with the first instalment.",
                "{until}前预订，首期租金立减 {amount}。",
            ),
            ("Cannot be combined with other discounts.", "不可与其他折扣同享。"),
        ]
    };
    texts.map(|pair| filled(pair, &values))
}
