import { componentReference, type Component } from "./component.ts";
import { headOf, linkTo, type Subject } from "./sbom.ts";
import { knownHoles, type KnownHole } from "./vulnerabilities.ts";

interface Listed {
  /** The list of contents of the same binary. */
  readonly bom: string;
  readonly components: readonly Component[];
  readonly epoch: number;
}

/** Returns what is known of holes in the parts of a binary as a CycloneDX 1.6 document, which refers to its list of contents. */
export function writeVex(
  subject: Subject,
  { bom, components, epoch }: Listed,
  holes: readonly KnownHole[] = knownHoles,
): string {
  const link = (component: Component): string => `${linkTo(bom)}#${encodeURIComponent(componentReference(component))}`;
  const vulnerabilities = holes.flatMap((hole) => {
    const concerned = partsOf(hole, components);
    return concerned.length === 0 ? [] : [describe(hole, concerned.map(link))];
  });
  const document = { ...headOf(subject, vulnerabilities, epoch), vulnerabilities };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const describe = ({ id, harmless, detail }: KnownHole, affected: readonly string[]) => ({
  id,
  source: { name: "NVD", url: `https://nvd.nist.gov/vuln/detail/${id}` },
  analysis: { ...(harmless === undefined ? { state: "resolved" } : { state: "not_affected", ...harmless }), detail },
  affects: affected.map((ref) => ({ ref })),
});

/** Returns the parts that a statement is about: those with the hole where it is harmless, and all of the name where it is mended. */
function partsOf({ id, component, fixedIn, harmless }: KnownHole, components: readonly Component[]): Component[] {
  const named = components.filter(({ name }) => name === component);
  const old = named.filter(({ version }) => version === undefined || Bun.semver.order(version, fixedIn) < 0);
  if (harmless === undefined && old.length > 0)
    throw new Error(`${id} is said to be mended, but ${component} is older than ${fixedIn}`);
  if (harmless !== undefined && old.length === 0 && named.length > 0)
    throw new Error(`${id} is said to be harmless, but no ${component} is older than ${fixedIn}: it is mended`);
  return harmless === undefined ? named : old;
}
