//! The currencies: those of all countries. The first fifteen are the specification's, with the signs that it shows; the others are shown by
//! their ISO 4217 code. Worth in ten-millionths of a euro: the European Central Bank's reference rates of 29 December 2023, else what one was
//! worth in dollars about then.

use serde::{Deserialize, Serialize};

/// One row of the table.
pub(super) struct Row {
    pub(super) code: &'static str,
    pub(super) symbol: &'static str,
    pub(super) decimals: u32,
    pub(super) worth: u32,
}

/// Declares the currencies: ISO 4217 code, symbol, digits after the decimal point, worth.
macro_rules! currencies {
    ($($variant:ident $code:tt $symbol:tt $decimals:tt $worth:tt;)+) => {
        /// A currency of some country.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Currency {
            $(
                #[doc = $code]
                #[serde(rename = $code)]
                $variant,
            )+
        }

        impl Currency {
            pub const ALL: [Self; [$($code),+].len()] = [$(Self::$variant),+];
        }

        /// In the order of [`Currency::ALL`].
        pub(super) static ROWS: [Row; Currency::ALL.len()] = [$(
            Row {
                code: $code,
                symbol: $symbol,
                decimals: $decimals,
                worth: $worth,
            },
        )+];
    };
}

currencies! {
    Usd "USD" "$" 2 9_049_774;
    Gbp "GBP" "£" 2 11_506_818;
    Eur "EUR" "€" 2 10_000_000;
    Cad "CAD" "CA$" 2 6_829_668;
    Inr "INR" "₹" 2 108_808;
    Aud "AUD" "AU$" 2 6_148_927;
    Aed "AED" "AED" 2 2_464_200;
    Sgd "SGD" "S$" 2 6_853_540;
    Nzd "NZD" "NZ$" 2 5_712_980;
    Krw "KRW" "₩" 0 6_975;
    Dkk "DKK" "kr" 2 1_341_760;
    Jpy "JPY" "¥" 0 63_967;
    Kwd "KWD" "KWD" 3 29_454_108;
    Bhd "BHD" "BHD" 3 24_068_547;
    Jod "JOD" "JOD" 3 12_764_139;
    Afn "AFN" "AFN" 2 128_548;
    All "ALL" "ALL" 2 96_789;
    Amd "AMD" "AMD" 2 22_400;
    Aoa "AOA" "AOA" 2 10_916;
    Ars "ARS" "ARS" 2 11_200;
    Awg "AWG" "AWG" 2 5_055_740;
    Azn "AZN" "AZN" 2 5_323_396;
    Bam "BAM" "BAM" 2 5_112_919;
    Bbd "BBD" "BBD" 2 4_524_887;
    Bdt "BDT" "BDT" 2 82_271;
    Bif "BIF" "BIF" 0 3_175;
    Bmd "BMD" "BMD" 2 9_049_774;
    Bnd "BND" "BND" 2 6_853_540;
    Bob "BOB" "BOB" 2 1_309_663;
    Brl "BRL" "BRL" 2 1_865_045;
    Bsd "BSD" "BSD" 2 9_049_774;
    Bwp "BWP" "BWP" 2 675_356;
    Byn "BYN" "BYN" 2 2_828_054;
    Bzd "BZD" "BZD" 2 4_524_887;
    Cdf "CDF" "CDF" 2 3_415;
    Chf "CHF" "CHF" 2 10_799_136;
    Clp "CLP" "CLP" 0 10_296;
    Cny "CNY" "CNY" 2 1_273_739;
    Cop "COP" "COP" 2 2_338;
    Crc "CRC" "CRC" 2 17_403;
    Cup "CUP" "CUP" 2 377_074;
    Cve "CVE" "CVE" 2 90_691;
    Czk "CZK" "CZK" 2 404_465;
    Djf "DJF" "DJF" 0 50_841;
    Dop "DOP" "DOP" 2 156_031;
    Dzd "DZD" "DZD" 2 67_536;
    Egp "EGP" "EGP" 2 292_873;
    Ern "ERN" "ERN" 2 603_318;
    Etb "ETB" "ETB" 2 161_603;
    Fjd "FJD" "FJD" 2 4_113_534;
    Fkp "FKP" "FKP" 2 11_506_818;
    Gel "GEL" "GEL" 2 3_364_228;
    Ghs "GHS" "GHS" 2 760_485;
    Gip "GIP" "GIP" 2 11_506_818;
    Gmd "GMD" "GMD" 2 135_071;
    Gnf "GNF" "GNF" 0 1_052;
    Gtq "GTQ" "GTQ" 2 1_157_260;
    Gyd "GYD" "GYD" 2 43_300;
    Hkd "HKD" "HKD" 2 1_158_561;
    Hnl "HNL" "HNL" 2 366_388;
    Htg "HTG" "HTG" 2 68_559;
    Huf "HUF" "HUF" 2 26_123;
    Idr "IDR" "IDR" 2 585;
    Ils "ILS" "ILS" 2 2_500_438;
    Iqd "IQD" "IQD" 3 6_908;
    Irr "IRR" "IRR" 2 215;
    Isk "ISK" "ISK" 0 66_445;
    Jmd "JMD" "JMD" 2 58_386;
    Kes "KES" "KES" 2 57_642;
    Kgs "KGS" "KGS" 2 101_683;
    Khr "KHR" "KHR" 2 2_215;
    Kmf "KMF" "KMF" 0 20_327;
    Kpw "KPW" "KPW" 2 10_055;
    Kyd "KYD" "KYD" 2 10_864_074;
    Kzt "KZT" "KZT" 2 19_890;
    Lak "LAK" "LAK" 2 441;
    Lbp "LBP" "LBP" 2 603;
    Lkr "LKR" "LKR" 2 27_931;
    Lrd "LRD" "LRD" 2 48_137;
    Lsl "LSL" "LSL" 2 491_456;
    Lyd "LYD" "LYD" 3 1_893_258;
    Mad "MAD" "MAD" 2 914_119;
    Mdl "MDL" "MDL" 2 520_102;
    Mga "MGA" "MGA" 2 1_972;
    Mkd "MKD" "MKD" 2 162_474;
    Mmk "MMK" "MMK" 2 4_309;
    Mnt "MNT" "MNT" 2 2_654;
    Mop "MOP" "MOP" 2 1_124_196;
    Mru "MRU" "MRU" 2 228_530;
    Mur "MUR" "MUR" 2 205_677;
    Mvr "MVR" "MVR" 2 587_648;
    Mwk "MWK" "MWK" 2 5_377;
    Mxn "MXN" "MXN" 2 534_100;
    Myr "MYR" "MYR" 2 1_969_473;
    Mzn "MZN" "MZN" 2 141_624;
    Nad "NAD" "NAD" 2 491_456;
    Ngn "NGN" "NGN" 2 9_978;
    Nio "NIO" "NIO" 2 247_262;
    Nok "NOK" "NOK" 2 889_640;
    Npr "NPR" "NPR" 2 68_043;
    Omr "OMR" "OMR" 3 23_536_473;
    Pab "PAB" "PAB" 2 9_049_774;
    Pen "PEN" "PEN" 2 2_445_885;
    Pgk "PGK" "PGK" 2 2_426_213;
    Php "PHP" "PHP" 2 163_177;
    Pkr "PKR" "PKR" 2 32_091;
    Pln "PLN" "PLN" 2 2_304_413;
    Pyg "PYG" "PYG" 0 1_245;
    Qar "QAR" "QAR" 2 2_486_202;
    Ron "RON" "RON" 2 2_009_808;
    Rsd "RSD" "RSD" 2 85_375;
    Rub "RUB" "RUB" 2 100_889;
    Rwf "RWF" "RWF" 0 7_182;
    Sar "SAR" "SAR" 2 2_413_273;
    Sbd "SBD" "SBD" 2 1_070_979;
    Scr "SCR" "SCR" 2 665_425;
    Sdg "SDG" "SDG" 2 15_083;
    Sek "SEK" "SEK" 2 901_226;
    Shp "SHP" "SHP" 2 11_506_818;
    Sle "SLE" "SLE" 2 398_668;
    Sos "SOS" "SOS" 2 15_849;
    Srd "SRD" "SRD" 2 245_918;
    Ssp "SSP" "SSP" 2 8_227;
    Stn "STN" "STN" 2 408_163;
    Svc "SVC" "SVC" 2 1_034_260;
    Syp "SYP" "SYP" 2 718;
    Szl "SZL" "SZL" 2 491_456;
    Thb "THB" "THB" 2 263_345;
    Tjs "TJS" "TJS" 2 830_254;
    Tmt "TMT" "TMT" 2 2_585_650;
    Tnd "TND" "TND" 3 2_947_809;
    Top "TOP" "TOP" 2 3_884_023;
    Try "TRY" "TRY" 2 306_250;
    Ttd "TTD" "TTD" 2 1_334_775;
    Twd "TWD" "TWD" 2 295_744;
    Tzs "TZS" "TZS" 2 3_605;
    Uah "UAH" "UAH" 2 238_152;
    Ugx "UGX" "UGX" 0 2_394;
    Uyu "UYU" "UYU" 2 232_045;
    Uzs "UZS" "UZS" 2 733;
    Ves "VES" "VES" 2 252_083;
    Vnd "VND" "VND" 0 373;
    Vuv "VUV" "VUV" 0 76_049;
    Wst "WST" "WST" 2 3_327_123;
    Xaf "XAF" "XAF" 0 15_245;
    Xcd "XCD" "XCD" 2 3_351_768;
    Xcg "XCG" "XCG" 2 5_055_740;
    Xof "XOF" "XOF" 0 15_245;
    Xpf "XPF" "XPF" 0 83_800;
    Yer "YER" "YER" 2 36_199;
    Zar "ZAR" "ZAR" 2 491_456;
    Zmw "ZMW" "ZMW" 2 352_131;
    Zwg "ZWG" "ZWG" 2 667_387;
}
