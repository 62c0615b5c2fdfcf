#!/usr/bin/env python3
"""Makes api/pdf/font/NotoSansSC-reduced.ttf: Noto Sans SC with the characters of GB 2312, and Noto Sans for the Latin letters of Europe and
Vietnam that it lacks.

    npm pack @fontsource/noto-sans-sc @fontsource/noto-sans
    mkdir sc sans && tar xzf fontsource-noto-sans-sc-*.tgz -C sc && tar xzf fontsource-noto-sans-5*.tgz -C sans
    pip install fonttools brotli && pip download --no-deps cvttf-notosanscjk-regular && unzip -d cjk cvttf_*.whl
    scripts/receipt_font.py sc/package sans/package cjk/cvttf_NotoSansCJK_Regular/NotoSansCJKtc-Regular.otf api/pdf/font

All are under the SIL Open Font License 1.1, and none reserves its name.
"""

import sys
import tempfile
from pathlib import Path

from fontTools import subset
from fontTools.fontBuilder import FontBuilder
from fontTools.merge import Merger
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

# Where two files have a character, the first one's is taken.
EUROPEAN = ["latin", "latin-ext", "vietnamese", "cyrillic", "greek"]
# Frequent in names of today and not in GB 2312.
OF_NAMES = "喆堃淼昇玥赟翀煊镕旻晟昱暐珺珮祎禛竑翊芃骁骉鑫垚犇焱燚祺轶赪濛甯囍沄琤璟瑄妤姵宸芓玟"


def gb2312():
    """Every character that GB 2312 encodes."""
    found = set()
    for high in range(0xA1, 0xF8):
        for low in range(0xA1, 0xFF):
            try:
                found.add(ord(bytes([high, low]).decode("gb2312")))
            except UnicodeDecodeError:
                pass
    return found


def wanted():
    latin = set(range(0x20, 0x7F)) | set(range(0xA0, 0x180)) | set(range(0x218, 0x21C)) | {0x1A0, 0x1A1, 0x1AF, 0x1B0}
    latin |= set(range(0x1E80, 0x1E86)) | set(range(0x1EA0, 0x1EFA)) | {0x1E9E}
    latin |= set(range(0x400, 0x460)) | set(range(0x386, 0x3D0))
    marks = {0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026, 0x2212, 0x25A1}
    money = {0x20A9, 0x20AC, 0x20B9, 0x20B1, 0x20AB, 0x0E3F}
    return gb2312() | latin | marks | money | {ord(character) for character in OF_NAMES}


def outlined(file, characters, target):
    """The characters of a font of cubic curves (CFF) as a font of quadratic ones, which alone can be merged with the others."""
    font = TTFont(file)
    cmap, glyphs, widths = font.getBestCmap(), font.getGlyphSet(), font["hmtx"]
    names = {character: f"uni{character:04X}" for character in sorted(characters) if character in cmap}
    outlines = {".notdef": TTGlyphPen(None).glyph()}
    metrics = {".notdef": (1000, 0)}
    for character, name in names.items():
        pen = TTGlyphPen(None)
        glyphs[cmap[character]].draw(Cu2QuPen(pen, 1.0, reverse_direction=True))
        outlines[name], metrics[name] = pen.glyph(), widths[cmap[character]]
    made = FontBuilder(font["head"].unitsPerEm, isTTF=True)
    made.setupGlyphOrder(list(outlines))
    made.setupCharacterMap(names)
    made.setupGlyf(outlines)
    made.setupHorizontalMetrics(metrics)
    made.setupHorizontalHeader(ascent=1160, descent=-293)
    made.setupNameTable({})
    made.setupOS2()
    made.setupPost()
    made.save(target)


def main(chinese, european, cubic, target):
    parts = []
    with tempfile.TemporaryDirectory() as folder:
        # The slices named by numbers hold nearly the whole font between them, the slice of Chinese what they lack.
        slices = Path(chinese, "files").glob("noto-sans-sc-[0-9]*-400-normal.woff2")
        others = [Path(chinese, "files", f"noto-sans-sc-{part}-400-normal.woff2") for part in ("chinese-simplified", "latin", "latin-ext")]
        others += [Path(european, "files", f"noto-sans-{part}-400-normal.woff2") for part in EUROPEAN]
        for file in sorted(slices) + others:
            font = TTFont(file)
            font.flavor = None
            for table in ["GSUB", "GPOS", "GDEF", "BASE", "vhea", "vmtx", "VORG", "STAT", "gasp", "DSIG"]:
                if table in font:
                    del font[table]
            parts.append(Path(folder) / f"{file.stem}.ttf")
            font.save(parts[-1])
        lacking = wanted() - {character for part in parts for character in TTFont(part).getBestCmap()}
        parts.append(Path(folder) / "others.ttf")
        outlined(cubic, lacking, parts[-1])
        whole = Merger().merge([str(part) for part in parts])
    options = subset.Options(hinting=False, layout_features=[], name_IDs=["*"], notdef_outline=True, glyph_names=False)
    chosen = subset.Subsetter(options)
    chosen.populate(unicodes=wanted())
    chosen.subset(whole)
    # The slices carry the name of the variable font that they were cut from.
    for record in whole["name"].names:
        record.string = str(record).replace("Thin", "")
    # Equal input makes an equal file.
    whole["head"].created = whole["head"].modified = 0
    whole.recalcTimestamp = False
    file = Path(target) / "NotoSansSC-reduced.ttf"
    whole.save(file)
    (Path(target) / "OFL.txt").write_text((Path(chinese) / "LICENSE").read_text())
    print(f"{file}: {file.stat().st_size} bytes; lacks", [hex(c) for c in sorted(wanted() - set(TTFont(file).getBestCmap()))][:80])


if __name__ == "__main__":
    main(*sys.argv[1:])
