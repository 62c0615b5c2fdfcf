//! The countries: what each is called, its currency, and its clocks. The first fourteen are the specification's, under its words; the others
//! have their ISO code as key. Names and currencies as `datasets/country-codes` has them (public domain), zones from the IANA's database.

use serde::{Deserialize, Serialize};

use super::Zones::{self, One, Several};
use crate::money::Currency;

/// One row of the table.
pub(super) struct Row {
    pub(super) key: &'static str,
    pub(super) iso: &'static str,
    pub(super) name: &'static str,
    pub(super) currency: Currency,
    pub(super) zones: Zones,
}

/// Declares the countries: key, ISO 3166 code, English name, currency, clocks.
macro_rules! countries {
    ($($variant:ident $key:tt $iso:tt $name:tt $currency:ident $zones:expr;)+) => {
        /// A country of ISO 3166. Keys are the specification's words (`us`, `uk`, `canada`, …), else the ISO code (`pt`).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Country {
            $(
                #[doc = $name]
                #[serde(rename = $key)]
                $variant,
            )+
        }

        impl Country {
            pub const ALL: [Self; [$($key),+].len()] = [$(Self::$variant),+];
        }

        /// In the order of [`Country::ALL`].
        pub(super) static ROWS: [Row; Country::ALL.len()] = [$(
            Row {
                key: $key,
                iso: $iso,
                name: $name,
                currency: Currency::$currency,
                zones: $zones,
            },
        )+];
    };
}

// Antarctica has no currency of its own, and South Georgia that of the United Kingdom: homes are let in neither.
countries! {
    Us "us" "US" "United States" Usd Several("Pacific/Honolulu");
    Uk "uk" "GB" "United Kingdom" Gbp One("Europe/London");
    Canada "canada" "CA" "Canada" Cad Several("America/Vancouver");
    Spain "spain" "ES" "Spain" Eur Several("Atlantic/Canary");
    Ireland "ireland" "IE" "Ireland" Eur One("Europe/Dublin");
    Australia "australia" "AU" "Australia" Aud Several("Australia/Perth");
    Germany "germany" "DE" "Germany" Eur One("Europe/Berlin");
    France "france" "FR" "France" Eur One("Europe/Paris");
    Singapore "singapore" "SG" "Singapore" Sgd One("Asia/Singapore");
    Uae "uae" "AE" "United Arab Emirates" Aed One("Asia/Dubai");
    India "india" "IN" "India" Inr One("Asia/Kolkata");
    NewZealand "new_zealand" "NZ" "New Zealand" Nzd One("Pacific/Auckland");
    Korea "korea" "KR" "South Korea" Krw One("Asia/Seoul");
    Denmark "denmark" "DK" "Denmark" Dkk One("Europe/Copenhagen");
    Ad "ad" "AD" "Andorra" Eur One("Europe/Andorra");
    Af "af" "AF" "Afghanistan" Afn One("Asia/Kabul");
    Ag "ag" "AG" "Antigua & Barbuda" Xcd One("America/Antigua");
    Ai "ai" "AI" "Anguilla" Xcd One("America/Anguilla");
    Al "al" "AL" "Albania" All One("Europe/Tirane");
    Am "am" "AM" "Armenia" Amd One("Asia/Yerevan");
    Ao "ao" "AO" "Angola" Aoa One("Africa/Luanda");
    Aq "aq" "AQ" "Antarctica" Usd Several("Antarctica/Palmer");
    Ar "ar" "AR" "Argentina" Ars One("America/Argentina/Buenos_Aires");
    As "as" "AS" "American Samoa" Usd One("Pacific/Pago_Pago");
    At "at" "AT" "Austria" Eur One("Europe/Vienna");
    Aw "aw" "AW" "Aruba" Awg One("America/Aruba");
    Ax "ax" "AX" "Åland Islands" Eur One("Europe/Mariehamn");
    Az "az" "AZ" "Azerbaijan" Azn One("Asia/Baku");
    Ba "ba" "BA" "Bosnia" Bam One("Europe/Sarajevo");
    Bb "bb" "BB" "Barbados" Bbd One("America/Barbados");
    Bd "bd" "BD" "Bangladesh" Bdt One("Asia/Dhaka");
    Be "be" "BE" "Belgium" Eur One("Europe/Brussels");
    Bf "bf" "BF" "Burkina Faso" Xof One("Africa/Ouagadougou");
    Bg "bg" "BG" "Bulgaria" Eur One("Europe/Sofia");
    Bh "bh" "BH" "Bahrain" Bhd One("Asia/Bahrain");
    Bi "bi" "BI" "Burundi" Bif One("Africa/Bujumbura");
    Bj "bj" "BJ" "Benin" Xof One("Africa/Porto-Novo");
    Bl "bl" "BL" "St. Barthélemy" Eur One("America/St_Barthelemy");
    Bm "bm" "BM" "Bermuda" Bmd One("Atlantic/Bermuda");
    Bn "bn" "BN" "Brunei" Bnd One("Asia/Brunei");
    Bo "bo" "BO" "Bolivia" Bob One("America/La_Paz");
    Bq "bq" "BQ" "Caribbean Netherlands" Usd One("America/Kralendijk");
    Br "br" "BR" "Brazil" Brl Several("America/Rio_Branco");
    Bs "bs" "BS" "Bahamas" Bsd One("America/Nassau");
    Bt "bt" "BT" "Bhutan" Inr One("Asia/Thimphu");
    Bv "bv" "BV" "Bouvet Island" Nok One("Etc/UTC");
    Bw "bw" "BW" "Botswana" Bwp One("Africa/Gaborone");
    By "by" "BY" "Belarus" Byn One("Europe/Minsk");
    Bz "bz" "BZ" "Belize" Bzd One("America/Belize");
    Cc "cc" "CC" "Cocos Islands" Aud One("Indian/Cocos");
    Cd "cd" "CD" "Congo - Kinshasa" Cdf Several("Africa/Kinshasa");
    Cf "cf" "CF" "Central African Republic" Xaf One("Africa/Bangui");
    Cg "cg" "CG" "Congo - Brazzaville" Xaf One("Africa/Brazzaville");
    Ch "ch" "CH" "Switzerland" Chf One("Europe/Zurich");
    Ci "ci" "CI" "Côte d’Ivoire" Xof One("Africa/Abidjan");
    Ck "ck" "CK" "Cook Islands" Nzd One("Pacific/Rarotonga");
    Cl "cl" "CL" "Chile" Clp Several("Pacific/Easter");
    Cm "cm" "CM" "Cameroon" Xaf One("Africa/Douala");
    Cn "cn" "CN" "China" Cny One("Asia/Shanghai");
    Co "co" "CO" "Colombia" Cop One("America/Bogota");
    Cr "cr" "CR" "Costa Rica" Crc One("America/Costa_Rica");
    Cu "cu" "CU" "Cuba" Cup One("America/Havana");
    Cv "cv" "CV" "Cape Verde" Cve One("Atlantic/Cape_Verde");
    Cw "cw" "CW" "Curaçao" Xcg One("America/Curacao");
    Cx "cx" "CX" "Christmas Island" Aud One("Indian/Christmas");
    Cy "cy" "CY" "Cyprus" Eur One("Asia/Nicosia");
    Cz "cz" "CZ" "Czechia" Czk One("Europe/Prague");
    Dj "dj" "DJ" "Djibouti" Djf One("Africa/Djibouti");
    Dm "dm" "DM" "Dominica" Xcd One("America/Dominica");
    Do "do" "DO" "Dominican Republic" Dop One("America/Santo_Domingo");
    Dz "dz" "DZ" "Algeria" Dzd One("Africa/Algiers");
    Ec "ec" "EC" "Ecuador" Usd Several("Pacific/Galapagos");
    Ee "ee" "EE" "Estonia" Eur One("Europe/Tallinn");
    Eg "eg" "EG" "Egypt" Egp One("Africa/Cairo");
    Eh "eh" "EH" "Western Sahara" Mad One("Africa/El_Aaiun");
    Er "er" "ER" "Eritrea" Ern One("Africa/Asmara");
    Et "et" "ET" "Ethiopia" Etb One("Africa/Addis_Ababa");
    Fi "fi" "FI" "Finland" Eur One("Europe/Helsinki");
    Fj "fj" "FJ" "Fiji" Fjd One("Pacific/Fiji");
    Fk "fk" "FK" "Falkland Islands" Fkp One("Atlantic/Stanley");
    Fm "fm" "FM" "Micronesia" Usd Several("Pacific/Chuuk");
    Fo "fo" "FO" "Faroe Islands" Dkk One("Atlantic/Faroe");
    Ga "ga" "GA" "Gabon" Xaf One("Africa/Libreville");
    Gd "gd" "GD" "Grenada" Xcd One("America/Grenada");
    Ge "ge" "GE" "Georgia" Gel One("Asia/Tbilisi");
    Gf "gf" "GF" "French Guiana" Eur One("America/Cayenne");
    Gg "gg" "GG" "Guernsey" Gbp One("Europe/Guernsey");
    Gh "gh" "GH" "Ghana" Ghs One("Africa/Accra");
    Gi "gi" "GI" "Gibraltar" Gip One("Europe/Gibraltar");
    Gl "gl" "GL" "Greenland" Dkk Several("America/Thule");
    Gm "gm" "GM" "Gambia" Gmd One("Africa/Banjul");
    Gn "gn" "GN" "Guinea" Gnf One("Africa/Conakry");
    Gp "gp" "GP" "Guadeloupe" Eur One("America/Guadeloupe");
    Gq "gq" "GQ" "Equatorial Guinea" Xaf One("Africa/Malabo");
    Gr "gr" "GR" "Greece" Eur One("Europe/Athens");
    Gs "gs" "GS" "South Georgia & South Sandwich Islands" Gbp One("Atlantic/South_Georgia");
    Gt "gt" "GT" "Guatemala" Gtq One("America/Guatemala");
    Gu "gu" "GU" "Guam" Usd One("Pacific/Guam");
    Gw "gw" "GW" "Guinea-Bissau" Xof One("Africa/Bissau");
    Gy "gy" "GY" "Guyana" Gyd One("America/Guyana");
    Hk "hk" "HK" "Hong Kong" Hkd One("Asia/Hong_Kong");
    Hm "hm" "HM" "Heard & McDonald Islands" Aud One("Etc/UTC");
    Hn "hn" "HN" "Honduras" Hnl One("America/Tegucigalpa");
    Hr "hr" "HR" "Croatia" Eur One("Europe/Zagreb");
    Ht "ht" "HT" "Haiti" Htg One("America/Port-au-Prince");
    Hu "hu" "HU" "Hungary" Huf One("Europe/Budapest");
    Id "id" "ID" "Indonesia" Idr Several("Asia/Jakarta");
    Il "il" "IL" "Israel" Ils One("Asia/Jerusalem");
    Im "im" "IM" "Isle of Man" Gbp One("Europe/Isle_of_Man");
    Io "io" "IO" "British Indian Ocean Territory" Usd One("Indian/Chagos");
    Iq "iq" "IQ" "Iraq" Iqd One("Asia/Baghdad");
    Ir "ir" "IR" "Iran" Irr One("Asia/Tehran");
    Is "is" "IS" "Iceland" Isk One("Atlantic/Reykjavik");
    It "it" "IT" "Italy" Eur One("Europe/Rome");
    Je "je" "JE" "Jersey" Gbp One("Europe/Jersey");
    Jm "jm" "JM" "Jamaica" Jmd One("America/Jamaica");
    Jo "jo" "JO" "Jordan" Jod One("Asia/Amman");
    Jp "jp" "JP" "Japan" Jpy One("Asia/Tokyo");
    Ke "ke" "KE" "Kenya" Kes One("Africa/Nairobi");
    Kg "kg" "KG" "Kyrgyzstan" Kgs One("Asia/Bishkek");
    Kh "kh" "KH" "Cambodia" Khr One("Asia/Phnom_Penh");
    Ki "ki" "KI" "Kiribati" Aud Several("Pacific/Tarawa");
    Km "km" "KM" "Comoros" Kmf One("Indian/Comoro");
    Kn "kn" "KN" "St. Kitts & Nevis" Xcd One("America/St_Kitts");
    Kp "kp" "KP" "North Korea" Kpw One("Asia/Pyongyang");
    Kw "kw" "KW" "Kuwait" Kwd One("Asia/Kuwait");
    Ky "ky" "KY" "Cayman Islands" Kyd One("America/Cayman");
    Kz "kz" "KZ" "Kazakhstan" Kzt One("Asia/Almaty");
    La "la" "LA" "Laos" Lak One("Asia/Vientiane");
    Lb "lb" "LB" "Lebanon" Lbp One("Asia/Beirut");
    Lc "lc" "LC" "St. Lucia" Xcd One("America/St_Lucia");
    Li "li" "LI" "Liechtenstein" Chf One("Europe/Vaduz");
    Lk "lk" "LK" "Sri Lanka" Lkr One("Asia/Colombo");
    Lr "lr" "LR" "Liberia" Lrd One("Africa/Monrovia");
    Ls "ls" "LS" "Lesotho" Lsl One("Africa/Maseru");
    Lt "lt" "LT" "Lithuania" Eur One("Europe/Vilnius");
    Lu "lu" "LU" "Luxembourg" Eur One("Europe/Luxembourg");
    Lv "lv" "LV" "Latvia" Eur One("Europe/Riga");
    Ly "ly" "LY" "Libya" Lyd One("Africa/Tripoli");
    Ma "ma" "MA" "Morocco" Mad One("Africa/Casablanca");
    Mc "mc" "MC" "Monaco" Eur One("Europe/Monaco");
    Md "md" "MD" "Moldova" Mdl One("Europe/Chisinau");
    Me "me" "ME" "Montenegro" Eur One("Europe/Podgorica");
    Mf "mf" "MF" "St. Martin" Eur One("America/Marigot");
    Mg "mg" "MG" "Madagascar" Mga One("Indian/Antananarivo");
    Mh "mh" "MH" "Marshall Islands" Usd One("Pacific/Majuro");
    Mk "mk" "MK" "North Macedonia" Mkd One("Europe/Skopje");
    Ml "ml" "ML" "Mali" Xof One("Africa/Bamako");
    Mm "mm" "MM" "Myanmar" Mmk One("Asia/Yangon");
    Mn "mn" "MN" "Mongolia" Mnt Several("Asia/Hovd");
    Mo "mo" "MO" "Macao" Mop One("Asia/Macau");
    Mp "mp" "MP" "Northern Mariana Islands" Usd One("Pacific/Saipan");
    Mq "mq" "MQ" "Martinique" Eur One("America/Martinique");
    Mr "mr" "MR" "Mauritania" Mru One("Africa/Nouakchott");
    Ms "ms" "MS" "Montserrat" Xcd One("America/Montserrat");
    Mt "mt" "MT" "Malta" Eur One("Europe/Malta");
    Mu "mu" "MU" "Mauritius" Mur One("Indian/Mauritius");
    Mv "mv" "MV" "Maldives" Mvr One("Indian/Maldives");
    Mw "mw" "MW" "Malawi" Mwk One("Africa/Blantyre");
    Mx "mx" "MX" "Mexico" Mxn Several("America/Tijuana");
    My "my" "MY" "Malaysia" Myr One("Asia/Kuala_Lumpur");
    Mz "mz" "MZ" "Mozambique" Mzn One("Africa/Maputo");
    Na "na" "NA" "Namibia" Nad One("Africa/Windhoek");
    Nc "nc" "NC" "New Caledonia" Xpf One("Pacific/Noumea");
    Ne "ne" "NE" "Niger" Xof One("Africa/Niamey");
    Nf "nf" "NF" "Norfolk Island" Aud One("Pacific/Norfolk");
    Ng "ng" "NG" "Nigeria" Ngn One("Africa/Lagos");
    Ni "ni" "NI" "Nicaragua" Nio One("America/Managua");
    Nl "nl" "NL" "Netherlands" Eur One("Europe/Amsterdam");
    No "no" "NO" "Norway" Nok One("Europe/Oslo");
    Np "np" "NP" "Nepal" Npr One("Asia/Kathmandu");
    Nr "nr" "NR" "Nauru" Aud One("Pacific/Nauru");
    Nu "nu" "NU" "Niue" Nzd One("Pacific/Niue");
    Om "om" "OM" "Oman" Omr One("Asia/Muscat");
    Pa "pa" "PA" "Panama" Pab One("America/Panama");
    Pe "pe" "PE" "Peru" Pen One("America/Lima");
    Pf "pf" "PF" "French Polynesia" Xpf Several("Pacific/Tahiti");
    Pg "pg" "PG" "Papua New Guinea" Pgk Several("Pacific/Port_Moresby");
    Ph "ph" "PH" "Philippines" Php One("Asia/Manila");
    Pk "pk" "PK" "Pakistan" Pkr One("Asia/Karachi");
    Pl "pl" "PL" "Poland" Pln One("Europe/Warsaw");
    Pm "pm" "PM" "St. Pierre & Miquelon" Eur One("America/Miquelon");
    Pn "pn" "PN" "Pitcairn" Nzd One("Pacific/Pitcairn");
    Pr "pr" "PR" "Puerto Rico" Usd One("America/Puerto_Rico");
    Ps "ps" "PS" "Palestine" Ils One("Asia/Hebron");
    Pt "pt" "PT" "Portugal" Eur Several("Atlantic/Azores");
    Pw "pw" "PW" "Palau" Usd One("Pacific/Palau");
    Py "py" "PY" "Paraguay" Pyg One("America/Asuncion");
    Qa "qa" "QA" "Qatar" Qar One("Asia/Qatar");
    Re "re" "RE" "Réunion" Eur One("Indian/Reunion");
    Ro "ro" "RO" "Romania" Ron One("Europe/Bucharest");
    Rs "rs" "RS" "Serbia" Rsd One("Europe/Belgrade");
    Ru "ru" "RU" "Russia" Rub Several("Europe/Kaliningrad");
    Rw "rw" "RW" "Rwanda" Rwf One("Africa/Kigali");
    Sa "sa" "SA" "Saudi Arabia" Sar One("Asia/Riyadh");
    Sb "sb" "SB" "Solomon Islands" Sbd One("Pacific/Guadalcanal");
    Sc "sc" "SC" "Seychelles" Scr One("Indian/Mahe");
    Sd "sd" "SD" "Sudan" Sdg One("Africa/Khartoum");
    Se "se" "SE" "Sweden" Sek One("Europe/Stockholm");
    Sh "sh" "SH" "St. Helena" Shp One("Atlantic/St_Helena");
    Si "si" "SI" "Slovenia" Eur One("Europe/Ljubljana");
    Sj "sj" "SJ" "Svalbard & Jan Mayen" Nok One("Arctic/Longyearbyen");
    Sk "sk" "SK" "Slovakia" Eur One("Europe/Bratislava");
    Sl "sl" "SL" "Sierra Leone" Sle One("Africa/Freetown");
    Sm "sm" "SM" "San Marino" Eur One("Europe/San_Marino");
    Sn "sn" "SN" "Senegal" Xof One("Africa/Dakar");
    So "so" "SO" "Somalia" Sos One("Africa/Mogadishu");
    Sr "sr" "SR" "Suriname" Srd One("America/Paramaribo");
    Ss "ss" "SS" "South Sudan" Ssp One("Africa/Juba");
    St "st" "ST" "São Tomé & Príncipe" Stn One("Africa/Sao_Tome");
    Sv "sv" "SV" "El Salvador" Svc One("America/El_Salvador");
    Sx "sx" "SX" "Sint Maarten" Xcg One("America/Lower_Princes");
    Sy "sy" "SY" "Syria" Syp One("Asia/Damascus");
    Sz "sz" "SZ" "Eswatini" Szl One("Africa/Mbabane");
    Tc "tc" "TC" "Turks & Caicos Islands" Usd One("America/Grand_Turk");
    Td "td" "TD" "Chad" Xaf One("Africa/Ndjamena");
    Tf "tf" "TF" "French Southern Territories" Eur One("Indian/Kerguelen");
    Tg "tg" "TG" "Togo" Xof One("Africa/Lome");
    Th "th" "TH" "Thailand" Thb One("Asia/Bangkok");
    Tj "tj" "TJ" "Tajikistan" Tjs One("Asia/Dushanbe");
    Tk "tk" "TK" "Tokelau" Nzd One("Pacific/Fakaofo");
    Tl "tl" "TL" "Timor-Leste" Usd One("Asia/Dili");
    Tm "tm" "TM" "Turkmenistan" Tmt One("Asia/Ashgabat");
    Tn "tn" "TN" "Tunisia" Tnd One("Africa/Tunis");
    To "to" "TO" "Tonga" Top One("Pacific/Tongatapu");
    Tr "tr" "TR" "Türkiye" Try One("Europe/Istanbul");
    Tt "tt" "TT" "Trinidad & Tobago" Ttd One("America/Port_of_Spain");
    Tv "tv" "TV" "Tuvalu" Aud One("Pacific/Funafuti");
    Tw "tw" "TW" "Taiwan" Twd One("Asia/Taipei");
    Tz "tz" "TZ" "Tanzania" Tzs One("Africa/Dar_es_Salaam");
    Ua "ua" "UA" "Ukraine" Uah One("Europe/Kyiv");
    Ug "ug" "UG" "Uganda" Ugx One("Africa/Kampala");
    Um "um" "UM" "U.S. Outlying Islands" Usd Several("Pacific/Midway");
    Uy "uy" "UY" "Uruguay" Uyu One("America/Montevideo");
    Uz "uz" "UZ" "Uzbekistan" Uzs One("Asia/Tashkent");
    Va "va" "VA" "Vatican City" Eur One("Europe/Vatican");
    Vc "vc" "VC" "St. Vincent & Grenadines" Xcd One("America/St_Vincent");
    Ve "ve" "VE" "Venezuela" Ves One("America/Caracas");
    Vg "vg" "VG" "British Virgin Islands" Usd One("America/Tortola");
    Vi "vi" "VI" "U.S. Virgin Islands" Usd One("America/St_Thomas");
    Vn "vn" "VN" "Vietnam" Vnd One("Asia/Ho_Chi_Minh");
    Vu "vu" "VU" "Vanuatu" Vuv One("Pacific/Efate");
    Wf "wf" "WF" "Wallis & Futuna" Xpf One("Pacific/Wallis");
    Ws "ws" "WS" "Samoa" Wst One("Pacific/Apia");
    Ye "ye" "YE" "Yemen" Yer One("Asia/Aden");
    Yt "yt" "YT" "Mayotte" Eur One("Indian/Mayotte");
    Za "za" "ZA" "South Africa" Zar One("Africa/Johannesburg");
    Zm "zm" "ZM" "Zambia" Zmw One("Africa/Lusaka");
    Zw "zw" "ZW" "Zimbabwe" Zwg One("Africa/Harare");
}
