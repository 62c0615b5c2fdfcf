#!/usr/bin/env python3
"""Makes atlas/facts/places.pack: facts of countries, states, cities, areas and universities with their names, in blocks that are
opened one at a time.

    scripts/pack_places.py DATA          writes the pack
    scripts/pack_places.py DATA --check  says whether the pack holds what it would write

DATA is a folder with countries.csv, cities.csv and universities.csv as NOTICE names their sources. Names, boxes of countries and what the
demo catalogue calls its places come from this repository. The same files give the same pack; atlas/src/pack.rs says how it is laid out.
"""

import csv
import math
import sys
import unicodedata
import zlib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACK = ROOT / "atlas/facts/places.pack"
DATE = "2026-11-20"
HEADER = f"""Latchkey places, form 1
Made by scripts/pack_places.py from files of {DATE}
Cities, states: contains data from GeoNames (geonames.org), CC BY 4.0; reduced to cities over 15,000 people
Universities: Research Organization Registry (ror.org), CC0 1.0; campuses in the United States: HIFLD Open, public domain
Countries: datasets/country-codes, ODC-PDDL 1.0; their boxes: Natural Earth (naturalearthdata.com), public domain
Names, areas, other campuses: the project's own, MIT or Apache-2.0
"""
# A block is opened as a whole: larger ones are smaller files, smaller ones are opened faster.
BLOCK = 48_000
KEY_BLOCK = 24_000
# Words of universities' names that nobody begins with.
LINKING = {"a", "and", "at", "da", "de", "del", "der", "des", "di", "do", "du", "e", "et", "for", "fur", "in", "la", "of", "the", "und", "y"}
# Farther from every listed city than this, a university belongs to its country alone.
FARTHEST_KM = 60
# A part of a city lies this near to the city.
PART_KM = 30
# Letters that do not decompose.
LETTERS = {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ə": "e"}
APOSTROPHES = "'’‘ʼʻ`´"
# What `slug` of domain/src/place.rs writes with other letters than decomposing gives, and what it knows at all.
SLUG = {"ä": "ae", "æ": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "&": "and"}
PLAIN = {sign: plain for signs, plain in (("àáâãå", "a"), ("äæ", "ae"), ("ç", "c"), ("èéêë", "e"), ("ìíîï", "i"), ("ñ", "n"), ("òóôõø", "o"),
                                           ("ö", "oe"), ("ùúû", "u"), ("ü", "ue"), ("ß", "ss"), ("&", "and")) for sign in signs}
# A university is not looked for by these alone.
GENERAL = {"academy", "arts", "college", "education", "engineering", "hochschule", "institute", "medical", "medicine", "school", "science", "sciences", "state",
           "technology", "universidad", "universitat", "university"}


def fold(text):
    """The key of a name, as `fold` in atlas/src/key.rs makes it."""
    text = unicodedata.normalize("NFKD", text).lower()
    text = "".join(LETTERS.get(sign, sign) for sign in text if not unicodedata.category(sign).startswith("M"))
    text = unicodedata.normalize("NFC", text).replace("&", " and ")
    text = "".join(sign for sign in text if sign not in APOSTROPHES and unicodedata.category(sign) != "Cf")
    return " ".join("".join(sign if sign.isalnum() else " " for sign in text).split())


def spelled_out(text):
    """`Köln` as `Koeln`; none where the text has no such letter."""
    composed = unicodedata.normalize("NFC", text).lower()
    for one, two in (("ä", "ae"), ("ö", "oe"), ("ø", "oe"), ("ü", "ue"), ("å", "aa")):
        composed = composed.replace(one, two)
    return composed if composed != unicodedata.normalize("NFC", text).lower() else None


def slug(text):
    """A canonical name in ASCII that `slug` of domain/src/place.rs leaves as it is."""
    text = unicodedata.normalize("NFC", text).lower()
    text = "".join(SLUG.get(sign, sign) for sign in text)
    words = fold(text).split()
    return "-".join(word for word in words if word.isascii())


def plain_slug(text):
    """What `slug` of domain/src/place.rs makes of a name."""
    out = ""
    for sign in text:
        plain = PLAIN.get(sign) or PLAIN.get(sign.lower() if sign.lower() in PLAIN and sign != "&" else "")
        if plain:
            out += plain
        elif sign.isalnum():
            out += sign.lower()
        elif sign not in "'’" and out and not out.endswith("-"):
            out += "-"
    return out.rstrip("-")


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def km(one, other):
    lat1, lng1, lat2, lng2 = (math.radians(value) for value in (*one, *other))
    half = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lng2 - lng1) / 2) ** 2
    return 12_742 * math.asin(math.sqrt(half))


def point(row):
    return float(row["lat"]), float(row["lng"])


def degrees(text):
    """A decimal number without zeros behind its last digit."""
    return text.rstrip("0").rstrip(".") if "." in text else text


class Place:
    """A record of the pack with its names."""

    def __init__(self, kind, fields, name, rank, country):
        self.kind, self.fields, self.name, self.rank, self.country = kind, fields, name, rank, country
        self.names, self.canonical, self.keys = [], None, []

    def lines(self):
        # Left out where it follows from the name, and cut to what it has beyond that.
        plain = plain_slug(self.name)
        canonical = self.canonical.removeprefix(plain) if self.canonical == plain or self.canonical.startswith(f"{plain}-") else self.canonical
        own = "\t".join([self.kind, self.fields[0], self.name, canonical, *self.fields[1:]])
        seen = {("en", "official", self.name)}
        lines = [own.rstrip("\t")]
        for row in self.names:
            named = (row["lang"], row["form"], row["name"])
            if named not in seen:
                seen.add(named)
                lines.append("\t".join(["n", *named]))
        return lines

    def all_names(self):
        return [self.name, *(row["name"] for row in self.names), *self.keys]


class Canonical:
    """Gives every place an address of its own: those of the demo catalogue are kept."""

    def __init__(self, reserved):
        self.taken, self.reserved = {}, reserved

    def give(self, place, name, *more):
        """The first of `name`, `name-more`, … that is free."""
        base = slug(name) or slug(more[-1])
        for candidate in (base, *(f"{base}-{slug(word)}" for word in more if word and slug(word) and slug(word) != base)):
            if candidate not in self.taken and candidate not in self.reserved:
                return self.fix(place, candidate)
        raise SystemExit(f"no canonical name is free for {place.kind} {place.name}")

    def fix(self, place, canonical):
        assert canonical not in self.taken, canonical
        self.taken[canonical] = place
        place.canonical = canonical
        return canonical


def catalogue_facts():
    facts = ROOT / "catalogue/facts"
    return {name: read(facts / f"{name}.csv") for name in ("cities", "areas", "universities", "places")}


# What the source lacks or writes with a letter that is no digit.
CURRENCIES = {"TR": ("TRY", "Turkish Lira", "2")}
# GeoNames lists its cities under a code that ISO leaves to users.
KOSOVO = {"name": "Kosovo", "official_name": "Kosovo", "iso2": "XK", "iso3": "XKX", "dial_code": "383", "currency": "EUR", "currency_name": "Euro",
          "minor_units": "2", "continent": "EU", "capital": "Pristina", "languages": "sq,sr", "marketplace_key": ""}
# The demo's words for its countries, by code.
KEYS = {"us": "US", "uk": "GB", "canada": "CA", "spain": "ES", "ireland": "IE", "australia": "AU", "germany": "DE"}


class Packing:
    def __init__(self, data):
        self.countries = sorted([*read(data / "countries.csv"), KOSOVO], key=lambda row: row["iso2"])
        self.cities = read(data / "cities.csv")
        self.universities = read(data / "universities.csv")
        self.demo = catalogue_facts()
        self.names = defaultdict(list)
        for name in ("place-names", "other-names"):
            for row in read(ROOT / f"atlas/facts/{name}.csv"):
                self.names[row["canonical_name"]].append(row)
        self.boxes = {row["country"]: row for row in read(ROOT / "atlas/facts/country_boxes.csv")}
        self.names_of_countries = {row["iso2"]: row["name"] for row in self.countries}
        # Addresses that the demo gives to residences, campuses and areas.
        self.canonical = Canonical({row["canonical_name"] for row in read(ROOT / "atlas/facts/place-names.csv")} | {slug(row["name"]) + "-" + row["parent"] for row in self.demo["places"] if row["region_type"] == "establishment"})
        self.by_country = defaultdict(lambda: {"states": [], "cities": [], "lone": []})

    def run(self):
        self.add_countries()
        self.add_cities()
        self.add_states()
        self.add_universities()
        self.add_areas()
        for canonical, place in self.canonical.taken.items():
            place.names = [row for row in self.names.get(canonical, []) if fits(row, place)]
            # Two names of one city: `Donostia / San Sebastián`.
            parts = place.name.split(" / ") if " / " in place.name else []
            place.names += [{"lang": "und", "form": "common", "name": part.strip(), "kind": ""} for part in parts]
        residences = {f"{slug(row['name'])}-{row['parent']}" for row in self.demo["places"] if row["region_type"] == "establishment"}
        left = sorted(set(self.names) - set(self.canonical.taken) - residences)
        if left:
            raise SystemExit(f"names of places that are not there: {left}")
        return self.write()

    def add_countries(self):
        self.listed = []
        for row in self.countries:
            iso = row["iso2"]
            zones = defaultdict(int)
            for city in self.cities:
                if city["country"] == iso:
                    zones[city["timezone"]] += int(city["population"] or 0)
            box = self.boxes.get(iso)
            currency = CURRENCIES.get(iso, (row["currency"], row["currency_name"], row["minor_units"]))
            fields = [iso, row["iso3"], row["official_name"], row["dial_code"].split(" ")[0], *currency,
                      row["continent"], row["capital"], row["languages"], row["marketplace_key"],
                      ",".join(degrees(box[side]) for side in ("south", "west", "north", "east")) if box else "",
                      " ".join(sorted(zones, key=lambda zone: (-zones[zone], zone)))]
            name = {"GB": "United Kingdom", "US": "United States"}.get(iso, row["name"])
            place = Place("K", fields, name, 25, iso)
            place.keys = [iso, row["iso3"], row["name"], row["official_name"]] + ([row["marketplace_key"]] if row["marketplace_key"] else [])
            self.listed.append(place)
        for place in self.listed:
            if slug(place.name) in self.names:
                if any(row["kind"] == "country" for row in self.names[slug(place.name)]):
                    self.canonical.fix(place, slug(place.name))
                    continue
            self.canonical.give(place, place.name, "country")

    def add_cities(self):
        demo = {}
        for row in self.demo["cities"]:
            near = [c for c in self.cities if c["country"] == KEYS[row["country"]] and abs(float(c["lat"]) - float(row["lat"])) < 1e-4 and abs(float(c["lng"]) - float(row["lng"])) < 1e-4]
            assert len(near) == 1, (row["name"], near)
            demo[near[0]["geoname_id"]] = row
        for row in self.demo["places"]:
            if row["region_type"] == "locality":
                same = [c for c in self.cities if c["country"] == KEYS[row["country"]] and fold(c["name"]) == fold(row["name"])]
                same.sort(key=lambda city: km(point(city), point(row)))
                demo[same[0]["geoname_id"]] = {**row, "canonical_name": slug(row["name"]), "rank": ""}
        self.city_places, points = {}, defaultdict(list)
        largest = sorted(self.cities, key=lambda city: (-int(city["population"] or 0), int(city["geoname_id"])))
        for row in largest:
            name = demo.get(row["geoname_id"], row)["name"]
            population = int(row["population"] or 0)
            place = Place("C", [row["geoname_id"], row["state_code"], degrees(row["lat"]), degrees(row["lng"]), str(population), row["timezone"], ""],
                          name, min(24, int(math.log2(population + 1))), row["country"])
            place.row, place.point, place.folded, place.areas, place.universities = row, point(row), fold(row["name"]), [], []
            place.keys = [row["name"]] if name != row["name"] else []
            self.city_places[row["geoname_id"]] = place
            points[row["country"]].append(place)
            self.by_country[row["country"]]["cities"].append(place)
        for id, row in demo.items():
            self.canonical.fix(self.city_places[id], row["canonical_name"])
        for row in largest:
            place = self.city_places[row["geoname_id"]]
            if place.canonical is None:
                self.canonical.give(place, place.name, row["state"], self.names_of_countries.get(row["country"], ""), row["geoname_id"])
        for places in points.values():
            wholes = [place for place in places if place.row["feature_code"] != "PPLX"]
            for place in places:
                if place.row["feature_code"] == "PPLX":
                    near = [(whole.row, km(whole.point, place.point)) for whole in wholes if abs(whole.point[0] - place.point[0]) < 0.5]
                    near = [(int(row["population"] or 0) / (1 + far), row) for row, far in near if far <= PART_KM]
                    if near:
                        place.fields[6] = max(near, key=lambda pair: (pair[0], pair[1]["geoname_id"]))[1]["geoname_id"]

    def add_states(self):
        states = defaultdict(list)
        for row in self.cities:
            if row["state_code"] and row["state"]:
                states[(row["country"], row["state_code"], row["state"])].append(row)
        listed = []
        for (country, code, name), rows in sorted(states.items()):
            weights = [int(row["population"] or 0) or 1 for row in rows]
            total = sum(weights)
            lat, lng = (sum(float(row[side]) * weight for row, weight in zip(rows, weights)) / total for side in ("lat", "lng"))
            place = Place("S", [code, degrees(f"{lat:.4f}"), degrees(f"{lng:.4f}")], name, 20, country)
            place.population = total
            self.by_country[country]["states"].append(place)
            listed.append(place)
        known = {"US", "GB", "CA", "ES", "IE", "AU", "DE"}
        for place in listed:
            plain = slug(place.name.removeprefix("State of "))
            for canonical in (f"{plain}-state", plain):
                if place.country in known and canonical not in self.canonical.taken and any(row["kind"] == "state" for row in self.names.get(canonical, [])):
                    self.canonical.fix(place, canonical)
                    break
        for place in sorted(listed, key=lambda state: (-state.population, state.country, state.fields[0])):
            if place.canonical is None:
                country = self.names_of_countries.get(place.country, place.country)
                self.canonical.give(place, place.name, "state", country, f"state {country}", f"{place.fields[0]} {country}")

    def city_of(self, row):
        """The listed city of a university, and how far its point is from there."""
        here = point(row)
        cities = [city for city in self.by_country[row["country"]]["cities"] if city.row["feature_code"] != "PPLX" and abs(city.point[0] - here[0]) < 1]
        if not cities:
            return None
        town = fold(row["city"])
        same = [city for city in cities if city.folded == town and km(here, city.point) <= FARTHEST_KM]
        place = min(same or cities, key=lambda city: (km(here, city.point), city.row["geoname_id"]))
        return place if km(here, place.point) <= FARTHEST_KM else None

    def add_universities(self):
        demo = self.match_universities()
        listed = []
        cities = {place.canonical: place for place in self.city_places.values()}
        for row in self.universities:
            own = demo.get(row["ror_id"])
            lat, lng = (own["lat"], own["lng"]) if own else (row["lat"], row["lng"])
            city = self.city_of({**row, "lat": lat, "lng": lng})
            campus = bool(own) or row["coord_level"] == "campus"
            here = campus or city is None or (row["lat"], row["lng"]) != (city.row["lat"], city.row["lng"])
            town = "" if city is None or fold(row["city"]) == fold(city.row["name"]) else row["city"]
            fields = [row["ror_id"], town, degrees(lat) if here else "", degrees(lng) if here else "", "c" if campus else "",
                      {"university": "", "college": "c"}[row["kind"]], row["domain"]]
            place = Place("U", fields, own["name"] if own else row["name"], 14 if own else 10, row["country"])
            place.keys = [name for name in (row["name"], row["local_name"]) if name and name != place.name]
            place.local = row["local_name"] if row["local_name"] and fold(row["local_name"]) != fold(place.name) else ""
            place.row, place.city = row, city
            (city.universities if city else self.by_country[row["country"]]["lone"]).append(place)
            listed.append(place)
            if own:
                self.canonical.fix(place, own["canonical"])
        for own in self.demo["universities"]:
            if own["canonical"] not in self.canonical.taken:
                city = cities[own["city"]]
                place = Place("U", [f"own:{own['canonical']}", "", own["lat"], own["lng"], "c", "", ""], own["name"], 14, city.country)
                place.local, place.row, place.city = "", {"ror_id": "", "domain": ""}, city
                city.universities.append(place)
                self.canonical.fix(place, own["canonical"])
        for place in sorted(listed, key=lambda university: university.row["ror_id"]):
            if place.canonical is None:
                city = place.city.canonical if place.city else place.row["city"]
                self.canonical.give(place, place.name, city, self.names_of_countries.get(place.country, ""), place.row["ror_id"])
        for place in listed:
            label = place.row["domain"].removeprefix("www.").split(".")[0]
            if len(label) >= 3 and not label.isdigit():
                place.keys.append(label)

    def match_universities(self):
        """Universities of the demo by the id under which they are registered: the same name, or one of its names, in the same country."""
        registered = defaultdict(list)
        for row in self.universities:
            for name in {fold(row["name"]), fold(row["local_name"])} - {""}:
                registered[(row["country"], name)].append(row)
        city_rows = {row["canonical_name"]: row for row in self.demo["cities"]}
        matched, seen = {}, set()
        for own in self.demo["universities"]:
            city = city_rows[own["city"]]
            plain = demo_slug(own["name"])
            own["canonical"] = f"{plain}-{own['city']}" if plain in seen or plain in city_rows else plain
            seen.add(own["canonical"])
            country = KEYS[city["country"]]
            names = [own["name"], *(row["name"] for row in self.names.get(own["canonical"], []) if row["form"] in ("official", "common", "endonym") and row["lang"] in ("en", "und", "de", "es"))]
            for name in names:
                found = [row for row in registered[(country, fold(name))] if row["ror_id"] not in matched and km(point(row), point(city)) < 60]
                if found:
                    matched[min(found, key=lambda row: (km(point(row), point(own)), row["ror_id"]))["ror_id"]] = own
                    break
        return matched

    def add_areas(self):
        cities = {place.canonical: place for place in self.city_places.values()}
        rows = [(row["city"], row) for row in self.demo["areas"]]
        rows += [(row["parent"], row) for row in self.demo["places"] if row["region_type"] == "sublocality"]
        for city, row in rows:
            place = Place("A", [f"{demo_slug(row['name'])}-{city}", degrees(row["lat"]), degrees(row["lng"])], row["name"], 8, cities[city].country)
            self.canonical.fix(place, place.fields[0])
            place.fields = ["", *place.fields[1:]]
            cities[city].areas.append(place)

    def write(self):
        blocks, self.keys = [], defaultdict(list)
        self.block(blocks, "countries -", [place for place in self.listed])
        for iso in sorted(self.by_country):
            held = self.by_country[iso]
            groups = [[state] for state in held["states"]]
            for city in held["cities"]:
                universities = sorted(city.universities, key=lambda place: place.canonical)
                groups.append([city, *sorted(city.areas, key=lambda area: area.canonical), *universities])
            if held["lone"]:
                groups.append(["-", *sorted(held["lone"], key=lambda place: place.canonical)])
            waiting, size = [], 0
            for group in groups:
                grown = sum(len(line) + 1 for place in group for line in (["-"] if place == "-" else place.lines()))
                if waiting and size + grown > BLOCK:
                    self.block(blocks, f"places {iso}", waiting)
                    waiting, size = [], 0
                waiting, size = waiting + group, size + grown
            self.block(blocks, f"places {iso}", waiting)
        lines = [f"{key}\t{' '.join(sorted(refs))}" for key, refs in sorted(self.keys.items())]
        waiting, size = [], 0
        for line in lines:
            if waiting and size > KEY_BLOCK:
                blocks.append((f"keys {waiting[0].split(chr(9))[0]}", waiting))
                waiting, size = [], 0
            waiting.append(line)
            size += len(line.encode())
        blocks.append((f"keys {waiting[0].split(chr(9))[0]}", waiting))
        return assemble(blocks)

    def block(self, blocks, name, places):
        number, lines, row = len(blocks), [], 0
        for place in places:
            if place == "-":
                lines.append("-")
                continue
            lines += [*place.lines()[:1], *local_line(place), *place.lines()[1:]]
            for key in keys_of(place):
                ref = f"{place.kind}{chr(ord('a') + place.rank)}{number}.{row}"
                if ref not in self.keys[key]:
                    self.keys[key].append(ref)
            row += 1
        blocks.append((name, lines))


def local_line(place):
    """The name that the university gives itself."""
    local = getattr(place, "local", "")
    known = local and any(row["name"] == local for row in place.names)
    return [f"n\tund\tendonym\t{local}"] if local and not known else []


def fits(row, place):
    return row["kind"] == {"K": "country", "S": "state", "C": "city", "A": "area", "U": "university"}[place.kind]


def demo_slug(text):
    """The canonical name that the demo catalogue gives: only `slug` of the domain, which every name of it fits."""
    text = unicodedata.normalize("NFC", text)
    return slug(text)


def keys_of(place):
    keys = set()
    for name in place.all_names():
        for written in filter(None, (name, spelled_out(name))):
            key = fold(written)
            if not key:
                continue
            keys.add(key)
            if place.kind == "U" and key.isascii():
                words = key.split()
                ends = [words[start:] for start in range(1, len(words)) if words[start] not in LINKING]
                keys.update(" ".join(end) for end in ends if not GENERAL.issuperset(end))
    keys.add(fold(place.canonical))
    return sorted(keys)


def squeeze(text):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    return packer.compress(text) + packer.flush()


def assemble(blocks):
    """The header, a line for each block (first byte, length, length when opened, name), an empty line, the blocks."""
    directory, body = [], b""
    for name, lines in blocks:
        text = ("\n".join(lines) + "\n").encode()
        packed = squeeze(text)
        directory.append(f"{len(body)} {len(packed)} {len(text)} {name}")
        body += packed
    return (HEADER + "\n".join(directory) + "\n\n").encode() + body


def opened(pack):
    """The texts of all blocks, which do not depend on the version of the library that packed them."""
    head, body = pack.split(b"\n\n", 1)
    rows = [line.split(" ", 3) for line in head.decode().splitlines() if line[:1].isdigit()]
    return [(row[3], zlib.decompress(body[int(row[0]):int(row[0]) + int(row[1])], -15)) for row in rows]


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    pack = Packing(Path(arguments[0])).run()
    if "--check" in sys.argv:
        if opened(PACK.read_bytes()) != opened(pack):
            raise SystemExit(f"{PACK} holds other facts: run this without --check")
        print("the pack is as its sources")
        return
    PACK.write_bytes(pack)
    print(f"{len(pack)} bytes, {len(opened(pack))} blocks")


if __name__ == "__main__":
    main()
