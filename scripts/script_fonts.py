#!/usr/bin/env python3
"""Makes the fonts beside api/pdf/font/NotoSansSC-reduced.ttf: one for each script of names that it lacks.

    for script in tc kr arabic hebrew thai devanagari; do npm pack @fontsource/noto-sans-$script; done
    for archive in fontsource-*.tgz; do mkdir "${archive%-[0-9]*}"; tar xzf "$archive" -C "${archive%-[0-9]*}"; done
    pip install fonttools brotli
    scripts/script_fonts.py . api/pdf/font

All are under the SIL Open Font License 1.1. Chinese and Korean fonts come in slices without rules of shaping, which they do not need;
the others are taken whole, with their tables GSUB and GPOS.
"""

import sys
import tempfile
from pathlib import Path

from fontTools import subset
from fontTools.merge import Merger
from fontTools.ttLib import TTFont

SHAPED = {"arabic": "Arabic", "hebrew": "Hebrew", "thai": "Thai", "devanagari": "Devanagari"}


def encoded(encoding, highs, lows):
    """Every character that a two-byte encoding has in these rows."""
    found = set()
    for high in highs:
        for low in lows:
            try:
                found.add(ord(bytes([high, low]).decode(encoding)))
            except (UnicodeDecodeError, TypeError):
                pass
    return found


def saved(font, target):
    # Equal input makes an equal file.
    font["head"].created = font["head"].modified = 0
    font.recalcTimestamp = False
    font.save(target)
    print(f"{target}: {target.stat().st_size} bytes, {len(font.getBestCmap())} characters")


def reduced(font, characters, features):
    options = subset.Options(hinting=False, layout_features=features, name_IDs=["*"], notdef_outline=True, glyph_names=False)
    chosen = subset.Subsetter(options)
    chosen.populate(unicodes=characters)
    chosen.subset(font)
    return font


def of_slices(files, characters, target):
    """One font of the slices that have any of the characters."""
    parts = []
    with tempfile.TemporaryDirectory() as folder:
        for file in sorted(files):
            font = TTFont(file)
            wanted = characters & set(font.getBestCmap())
            characters = characters - wanted
            if not wanted:
                continue
            font.flavor = None
            for table in ["GSUB", "GPOS", "GDEF", "BASE", "vhea", "vmtx", "VORG", "STAT", "gasp", "DSIG"]:
                if table in font:
                    del font[table]
            parts.append(Path(folder) / f"{file.stem}.ttf")
            reduced(font, wanted, []).save(parts[-1])
        whole = Merger().merge([str(part) for part in parts])
    for record in whole["name"].names:
        record.string = str(record).replace("Thin", "")
    saved(whole, target)


def main(source, target):
    source, target = Path(source), Path(target)
    files = lambda script: (source / f"fontsource-noto-sans-{script}" / "package" / "files").glob(f"noto-sans-{script}-[0-9]*-400-normal.woff2")
    lows = [*range(0x40, 0x7F), *range(0xA1, 0xFF)]
    had = set(TTFont(target / "NotoSansSC-reduced.ttf").getBestCmap())
    of_slices(files("tc"), encoded("big5", range(0xA4, 0xC7), lows) - had, target / "NotoSansTC-reduced.ttf")
    of_slices(files("kr"), encoded("euc-kr", range(0xB0, 0xC9), lows) - had, target / "NotoSansKR-reduced.ttf")
    for script, name in SHAPED.items():
        file = source / f"fontsource-noto-sans-{script}" / "package" / "files" / f"noto-sans-{script}-{script}-400-normal.woff2"
        font = TTFont(file)
        font.flavor = None
        saved(reduced(font, set(font.getBestCmap()), ["*"]), target / f"NotoSans{name}-reduced.ttf")


if __name__ == "__main__":
    main(*sys.argv[1:])
