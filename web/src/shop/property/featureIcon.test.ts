import { expect, test } from "vitest";
import en from "../../../../i18n/en/inventory.json";
import zh from "../../../../i18n/zh/inventory.json";
import { featureIcon } from "./featureIcon.ts";

test("an amenity is drawn as what it is, in both languages alike", () => {
  const drawn = {
    all_bills: "bolt",
    wifi: "wifi",
    water: "drop",
    laundry: "wash",
    gym: "gym",
    bicycle_store: "bike",
    lift: "lift",
    parking: "car",
    step_free: "check",
    parcel_lockers: "parcel",
    desk: "desk",
    heating: "heat",
    air_conditioning: "air",
    dishwasher: "dishes",
    study_room: "desk",
    courtyard: "tree",
    front_desk: "shield",
    cctv: "shield",
    secure_entry: "shield",
    night_staff: "shield",
  };
  for (const [key, icon] of Object.entries(drawn)) {
    for (const texts of [en, zh]) {
      const name: string | undefined = new Map(Object.entries(texts)).get(`feature.${key}`);
      expect({ name, icon: featureIcon(name ?? "") }).toEqual({ name, icon });
    }
  }
  expect(featureIcon("Health care on site")).toBe("check");
});
