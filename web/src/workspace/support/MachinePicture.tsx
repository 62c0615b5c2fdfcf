import { useId } from "react";
import { useI18n } from "../../i18n/i18n.tsx";
import { BOX_HEIGHT, type DrawnEdge, type DrawnMachine } from "./machineLayout.ts";

interface MachinePictureProps {
  drawn: DrawnMachine;
  /** The word for a state. */
  stateName: (state: string) => string;
}

/** A machine on paper: the way taken, what may come next, what was never used. */
export function MachinePicture({ drawn, stateName }: MachinePictureProps) {
  const { t } = useI18n();
  const id = useId();
  const { layout, nodes, edges } = drawn;
  const visited = drawn.visited.map(stateName).join(t("workspace.list_mark"));
  const next = drawn.possible.map(stateName).join(t("workspace.list_mark"));
  const spoken = t(next === "" ? "support.path_spoken_end" : "support.path_spoken", {
    visited,
    current: stateName(drawn.current),
    next,
  });
  return (
    <figure>
      <svg className="machine" viewBox={`0 0 ${layout.width} ${layout.height}`} role="img" aria-label={spoken}>
        <Arrowheads id={id} />
        {edges.map((edge) => (
          <Edge key={`${edge.from}>${edge.to}`} edge={edge} id={id} />
        ))}
        {nodes.map(({ state, mark, box }) => (
          <g key={state} className={mark === "current" ? "nd cur" : mark === "visited" ? "nd v" : "nd"}>
            <rect x={box.x} y={box.y} width={box.width} height={BOX_HEIGHT} rx={9} />
            <text x={box.x + box.width / 2} y={box.y + 21.2} textAnchor="middle">
              {stateName(state)}
            </text>
          </g>
        ))}
      </svg>
      <Legend />
    </figure>
  );
}

const EDGE_CLASS = { taken: "v", possible: "p", rest: "n" } as const;

function Arrowheads({ id }: { id: string }) {
  return (
    <defs>
      {(["n", "v", "p"] as const).map((look) => (
        <marker
          key={look}
          id={`${id}${look}`}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path className={`ah ${look}`} d="M0 .8 7.2 4 0 7.2z" />
        </marker>
      ))}
    </defs>
  );
}

function Edge({ edge, id }: { edge: DrawnEdge; id: string }) {
  const { tData } = useI18n();
  const look = EDGE_CLASS[edge.mark];
  const { label, path } = edge.route;
  const key = `timeline_ui.step_${edge.verb}`;
  const verb = edge.verb === null ? "" : tData(key);
  return (
    <>
      <path className={`e ${look}`} d={path} markerEnd={`url(#${id}${look})`} />
      {label === undefined || edge.mark === "rest" || verb === "" || verb === key ? null : (
        <text className={`el ${look}`} x={label.x} y={label.y} textAnchor={label.anchor}>
          {verb}
        </text>
      )}
    </>
  );
}

function Legend() {
  const { t } = useI18n();
  return (
    <figcaption>
      {(["taken", "possible", "rest"] as const).map((mark) => (
        <span key={mark} className="lg">
          <svg width="24" height="8" aria-hidden="true">
            <path className={`e ${EDGE_CLASS[mark]}`} d="M0 4h24" />
          </svg>
          {t(`support.path_${mark}`)}
        </span>
      ))}
    </figcaption>
  );
}
