import { componentReference, type Component } from "./component.ts";

/** What is published and holds components: its reference in a document. */
type Root = string;

/** What only the authors of a component know all parts of. */
const holders: Readonly<Record<string, "incomplete_third_party_only" | "unknown">> = {
  bun: "incomplete_third_party_only",
  nodemailer: "unknown",
  "swagger-ui-dist": "incomplete_third_party_only",
};

const isAddon = ({ name }: Component): boolean => name.startsWith("@node-rs/argon2-");

/** Says how much a component says of what is inside it. Nothing is known of what parts within others are made of. */
function aggregateOf(component: Component): "complete" | "incomplete_third_party_only" | "unknown" {
  if (isAddon(component)) return "incomplete_third_party_only";
  const { name, within, purl } = component;
  const held = holders[name];
  if (held !== undefined && within === undefined) return held;
  return within === undefined && purl?.startsWith("pkg:npm/") === true ? "complete" : "unknown";
}

/** Returns which component asks for which, beginning with the root, and for which of them that is all. */
export function graphOf(root: Root, components: readonly Component[]) {
  const byReference = (one: string, other: string): number => (one < other ? -1 : 1);
  const inside = Map.groupBy(components, ({ within }) => within);
  const known = new Set(components.map(componentReference));
  const edges = components.map((component) => ({
    ref: componentReference(component),
    dependsOn: [
      ...new Set([
        ...(component.needs ?? []).filter((each) => known.has(each)),
        ...(inside.get(component.name) ?? [])
          .filter(() => component.within === undefined || isAddon(component))
          .map(componentReference),
      ]),
    ].toSorted(byReference),
  }));
  const reached = new Set(edges.flatMap(({ dependsOn }) => dependsOn));
  const direct = components
    .filter((each) => each.direct === true || !reached.has(componentReference(each)))
    .map(componentReference);
  const groups = Map.groupBy(components, aggregateOf);
  return {
    dependencies: [
      { ref: root, dependsOn: [...new Set(direct)].toSorted(byReference) },
      ...edges.toSorted((one, other) => byReference(one.ref, other.ref)),
    ],
    compositions: (["complete", "incomplete_third_party_only", "unknown"] as const).flatMap((aggregate) => {
      const refs = (groups.get(aggregate) ?? []).map(componentReference).toSorted(byReference);
      const all = aggregate === "complete" ? [root, ...refs] : refs;
      return all.length === 0 ? [] : [{ aggregate, dependencies: all }];
    }),
  };
}
