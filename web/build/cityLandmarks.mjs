// What a city is known by, on a ground of 200 by 250 that is covered by roofs from about 200 down.

const rows = (xs, y, wide, high) =>
  xs.map((x) => `<rect x="${x}" y="${y}" width="${wide}" height="${high}"/>`).join("");
const lit = (light, xs, y, wide = 6, high = 12) => `<g fill="${light}" opacity=".8">${rows(xs, y, wide, high)}</g>`;
const line = (color, wide, d) => `<path d="${d}" fill="none" stroke="${color}" stroke-width="${wide}"/>`;

export const landmarks = {
  clock: ({ behind, front }) =>
    `<rect x="84" y="88" width="28" height="120"/><path d="M84 88l14-30 14 30Z"/><circle cx="98" cy="106" r="9" fill="#fff"/>${line(front, 1.5, "M98 101v5l4 3")}<rect x="112" y="150" width="60" height="60"/>${line(behind, 3, "M142 150v-22M156 150v-14M128 150v-14")}`,
  mill: ({ light }) =>
    `<path d="M60 208V76l4-6h8l4 6v132Z"/><rect x="84" y="130" width="90" height="80"/>${lit(light, [92, 110, 128, 146], 140, 9, 14)}${lit(light, [92, 110, 128, 146], 164, 9, 14)}`,
  dome: ({ light }) =>
    `<rect x="62" y="140" width="78" height="70"/><path d="M68 140a33 33 0 0 1 66 0Z"/><rect x="97" y="84" width="8" height="26"/>${lit(light, [72, 86, 100, 114, 128], 152, 6, 44)}`,
  spire: () =>
    `<path d="M86 210V118l14-66 14 66v92Z"/><rect x="114" y="150" width="56" height="60"/><path d="M114 150l28-20 28 20Z"/>`,
  spires: ({ light }) =>
    `<path d="M40 210V120l9-54 9 54v90ZM92 210v-76l9-50 9 50v76ZM140 210V122l9-56 9 56v88Z"/><rect x="58" y="156" width="84" height="54"/>${lit(light, [66, 78, 118, 130], 166, 5, 18)}`,
  minster: ({ light }) =>
    `<path d="M52 210V92l4-10 4 10 5-6 5 6 4-10 4 10v118ZM122 210V92l4-10 4 10 5-6 5 6 4-10 4 10v118Z"/><path d="M78 210v-72l22-22 22 22v72Z"/><circle cx="100" cy="152" r="10" fill="${light}" opacity=".8"/>${lit(light, [60, 130], 112, 8, 26)}`,
  twinTowers: ({ light }) =>
    `<path d="M56 210v-98h6l6-26 6 26h6v98ZM120 210v-98h6l6-26 6 26h6v98Z"/><rect x="80" y="138" width="40" height="72"/>${lit(light, [64, 128], 122, 8, 8)}${lit(light, [86, 98, 110], 150, 5, 24)}`,
  castle: ({ behind, front }) =>
    `<path d="M-6 214c40-4 60-50 92-62s60 4 78 22 26 32 42 40Z" fill="${behind}"/><path d="M72 154v-34h8v6h8v-6h8v6h8v-22h8v6h8v-6h8v52Z" fill="${front}" opacity=".85"/>`,
  hills: ({ front }) =>
    `<path d="M-10 214c30-50 54-78 80-84s42 34 60 32 40-44 80-30v82Z"/><path d="M-10 220c40-36 76-50 110-40s70 10 110-16v56Z" fill="${front}" opacity=".45"/><path d="M66 130v-24l4-8 4 8v26Z"/>`,
  arch: ({ behind }) =>
    `${line(behind, 4, "M-4 186h210M-4 186C40 96 160 96 204 186")}${line(behind, 1.5, "M40 186v-42M64 186v-58M88 186v-66M112 186v-66M136 186v-58M160 186v-42")}`,
  suspension: ({ behind }) =>
    `<path d="M38 210V92h8v118ZM154 210V92h8v118Z"/>${line(behind, 4, "M-4 170h210")}${line(behind, 2.5, "M-10 120Q20 110 42 94Q100 190 158 94Q180 110 210 120")}${line(behind, 1.2, "M62 122v48M78 138v32M94 144v26M110 144v26M126 136v34M142 118v52")}`,
  crescent: ({ light }) =>
    `<path d="M10 206v-70q90-34 180 0v70Z"/>${lit(light, [24, 44, 64, 84, 104, 124, 144, 164], 144, 8, 16)}${lit(light, [24, 44, 64, 84, 104, 124, 144, 164], 170, 8, 16)}`,
  liner: ({ light, front }) =>
    `<path d="M12 176h176l-18 34H34Z" fill="${front}" opacity=".8"/><path d="M36 176v-20h120l8 20ZM54 156v-16h84v16Z"/><path d="M70 140v-34h16v34ZM104 140v-34h16v34Z"/>${lit(light, [46, 62, 78, 94, 110, 126, 142], 162, 6, 6)}`,
  sail: ({ behind }) =>
    `<path d="M98 210V62c34 20 48 66 42 108l-30 40Z"/>${line(behind, 4, "M94 210V58")}<path d="M86 210c-22-30-24-76-2-120v120Z" opacity=".7"/>`,
  opera: ({ front }) =>
    `<path d="M18 204h168v10H18Z" fill="${front}"/><path d="M30 204c0-50 26-80 54-88-8 30-4 62 8 88ZM82 204c0-44 22-70 48-78-6 28-2 54 8 78ZM128 204c0-34 18-54 40-60-4 22 0 42 8 60Z"/>`,
  towers: ({ light }) =>
    `<path d="M40 210V104l24-14v120ZM72 210V72h26v138ZM106 210v-92l12-16 12 16v92ZM138 210V86h24v124Z"/>${lit(light, [46, 78, 88, 144, 152], 122, 4, 8)}${lit(light, [46, 78, 114, 144, 152], 146, 4, 8)}${lit(light, [54, 88, 114, 144], 170, 4, 8)}`,
  flagMast: ({ behind, front }) =>
    `<path d="M10 212q90-52 180 0Z"/>${line(behind, 4, "M62 186L98 92M138 186L102 92M100 92V56")}<path d="M100 56h30v18h-30Z" fill="${front}" opacity=".8"/>`,
  beach: ({ behind }) =>
    `<path d="M96 210V60l8-14 8 14v150ZM122 210V96h20v114ZM66 210v-92h20v92ZM152 210v-84h22v84Z"/>${line(behind, 5, "M30 210c6-30 4-52-2-70")}<path d="M28 142c-14-10-24-6-30 4 12-6 22-6 30-4Zm0 0c2-16 14-22 24-18-8 4-16 10-24 18Zm0 0c14-2 22 6 24 16-8-8-14-12-24-16Zm0 0c-12 2-18 10-18 20 6-10 10-16 18-20Z"/>`,
  palms: ({ behind }) =>
    [
      [44, 96],
      [100, 72],
      [154, 104],
    ]
      .map(
        ([x, y]) =>
          `${line(behind, 5, `M${x + 4} 214c6-50 2-90-4-${214 - y - 50 > 0 ? 118 : 90}`)}<g transform="translate(${x} ${y})"><path d="M0 0c-18-14-32-8-40 6 16-8 30-8 40-6Zm0 0c4-22 20-30 34-24-12 6-22 14-34 24Zm0 0c20-2 30 8 32 22-10-10-18-16-32-22Zm0 0c-16 2-24 12-24 28 8-14 14-22 24-28Zm0 0c-6-20-20-26-32-22 12 6 22 12 32 22Z"/></g>`,
      )
      .join(""),
  harp: ({ behind }) =>
    `${line(behind, 4, "M-4 184h210")}${line(behind, 6, "M120 184C96 150 92 112 104 70")}${line(behind, 1.4, "M104 74L30 184M103 84L46 184M102 96L62 184M102 110L78 184M104 124L94 184M104 72L176 184")}`,
  skyscraper: ({ light }) =>
    `<path d="M76 210V110h8V86h8V66l7-28 7 28v20h8v24h8v100Z"/><rect x="34" y="120" width="28" height="90"/><rect x="136" y="104" width="30" height="106"/>${lit(light, [86, 96, 106], 122, 4, 9)}${lit(light, [86, 96, 106], 144, 4, 9)}${lit(light, [142, 152], 118, 4, 9)}${lit(light, [40, 50, 142], 140, 4, 9)}`,
  blackTower: ({ behind, light }) =>
    `<path d="M78 210V64h14v-8h16v8h14v146Z"/>${line(behind, 3, "M94 58V26M106 58V26")}<rect x="36" y="116" width="30" height="94"/><path d="M136 210V98l14-18 14 18v112Z"/>${lit(light, [86, 98, 110], 84, 4, 9)}${lit(light, [86, 98, 110, 146], 112, 4, 9)}${lit(light, [42, 54, 86, 110, 146], 140, 4, 9)}`,
  needle: ({ behind }) =>
    `<path d="M94 210q6-60 4-100h4q-2 40 4 100ZM66 104q34-16 68 0l-14 10H80ZM84 96q16-12 32 0Z"/>${line(behind, 3, "M100 90V58")}<path d="M136 214l30-50 34 50Z" opacity=".7"/>`,
  ballTower: ({ light }) =>
    `<path d="M92 210v-92h4v92ZM104 210v-92h4v92Z"/><circle cx="100" cy="98" r="24"/>${lit(light, [84, 94, 104, 114], 94, 4, 4)}<rect x="34" y="116" width="28" height="94"/><path d="M136 210V92l26 20v98Z"/>${lit(light, [40, 50, 142, 152], 134, 4, 9)}`,
  mesa: ({ front }) =>
    `<path d="M-6 214l40-60h50l10 16 30-46h30l52 90Z"/><path d="M40 214v-52q0-8 6-8t6 8v24h10v-10q0-6 5-6t5 6v20h-20v18Z" fill="${front}" opacity=".8"/>`,
  falls: ({ light }) =>
    `<path d="M-6 214v-66h70v66ZM136 214v-66h70v66Z"/><path d="M64 150q36 14 72 0v64H64Z" fill="#fff" opacity=".75"/>${line(light, 2, "M76 158v52M92 162v48M108 162v48M124 158v52")}`,
  tvTower: ({ behind }) =>
    `<path d="M95 210l3-126h4l3 126ZM84 96q16-10 32 0l-6 12H90Z"/>${line(behind, 3, "M100 86V34")}<path d="M122 210q0-26 28-26t28 26Z"/><rect x="40" y="126" width="28" height="84"/>`,
  peaks: ({ front }) =>
    `<path d="M-10 214l50-96 30 40 34-70 40 66 22-30 50 90Z"/><path d="M90 114l14-26 16 26-10-4-6 8-6-8ZM30 136l10-18 12 16-8-2-4 6Z" fill="#fff" opacity=".85"/><path d="M64 214v-60h12v60ZM88 214v-72h12v72ZM114 214v-54h14v54Z" fill="${front}" opacity=".6"/>`,
  gate: ({ behind }) =>
    `<path d="M36 130h128v14H36ZM44 118h112v12H44ZM60 106h80v12H60Z"/>${rows([42, 66, 90, 102, 126, 150], 144, 9, 66)}<path d="M84 106v-12h8v-8h16v8h8v12Z"/>${line(behind, 2, "M100 86V74")}`,
  onionTowers: ({ light }) =>
    `<path d="M58 210v-96h24v96ZM118 210v-96h24v96Z"/><path d="M58 114c-4-18 4-24 12-32 8 8 16 14 12 32ZM118 114c-4-18 4-24 12-32 8 8 16 14 12 32Z"/><path d="M82 210v-56l18-16 18 16v56Z"/>${lit(light, [66, 126], 128, 8, 22)}`,
  basilica: ({ light }) =>
    `<path d="M58 210l8-110 6-26 6 26 6 110ZM84 210l8-140 6-28 6 28 8 140ZM112 210l8-114 6-26 6 26 8 114ZM138 210l6-84 6-22 6 22 6 84Z"/><path d="M50 210v-36l24-18h52l24 18v36Z"/>${lit(light, [69, 96, 124], 124, 4, 20)}`,
};
