import type { IconName } from "../../ui/icon.tsx";

// Ordered: the first word found in a feature's name decides. Whole words in English, so that `car` is no `care`.
const icons: readonly [RegExp, IconName][] = [
  [
    /门禁|监控|前台|值班|夜间|保安|安保|\b(security|secure|cctv|front desk|reception|concierge|safe|staff)\b/i,
    "shield",
  ],
  [/无线|网络|\b(wi-?fi|internet|broadband)\b/i, "wifi"],
  [/洗碗|\bdish-?washer\b/i, "dishes"],
  [/洗衣|\b(laundry|washing machine|washer)\b/i, "wash"],
  [/暖|\bheat(ing|ed)?\b/i, "heat"],
  [/空调|\bair[- ]con(ditioning|ditioned)?\b/i, "air"],
  [/水费|含水|\bwater\b/i, "drop"],
  [/账单|电费|全包|\b(bills?|electricity|gas|energy|utilit(y|ies))\b/i, "bolt"],
  [/快递|包裹|\b(parcels?|packages?)\b/i, "parcel"],
  [/电梯|\b(lifts?|elevators?)\b/i, "lift"],
  [/健身|\b(gym|fitness|sports?)\b/i, "gym"],
  [/自习|书桌|\b(study|desk|library|workspace)\b/i, "desk"],
  [/自行车|单车|\b(bikes?|bicycles?|cycle)\b/i, "bike"],
  [/花园|庭院|露台|\b(garden|courtyard|terrace|outdoor|bbq)\b/i, "tree"],
  [/停车|\b(parking|car)\b/i, "car"],
  [/\b(bus|shuttle)\b/i, "bus"],
  [/便利店|商店|\b(shop|store|vending)\b/i, "cart"],
  [/休息室|活动|\b(lounge|common|social|events?)\b/i, "users"],
  [/\b(key|key fob)\b|钥匙/i, "key"],
];

/** The drawing beside an amenity: one that shows the thing itself, else a tick. */
export function featureIcon(name: string): IconName {
  return icons.find(([words]) => words.test(name))?.[1] ?? "check";
}
