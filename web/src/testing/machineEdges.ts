import type { AnyStateMachine, AnyStateNode } from "xstate";

/**
 * The edges a machine draws, as `{ state: { event: target } }` in the words of the step tables the server computes.
 * Nested states are read as their top state; states tagged `local` and events of the screen alone are left out.
 */
export function edgesOf(machine: AnyStateMachine, prefix: string, screenOnly: readonly string[] = []) {
  const recorded = Object.values(machine.root.states).filter((node) => !node.tags.includes("local"));
  return Object.fromEntries(
    recorded.map((node) => [
      node.key,
      Object.fromEntries(
        [...node.transitions.values()]
          .flat()
          .filter((edge) => edge.eventType.startsWith(prefix) && !screenOnly.includes(edge.eventType))
          .map((edge) => [edge.eventType.slice(prefix.length), topOf(edge.target?.[0] ?? node).key]),
      ),
    ]),
  );
}

function topOf(node: AnyStateNode): AnyStateNode {
  return node.parent?.parent ? topOf(node.parent) : node;
}
