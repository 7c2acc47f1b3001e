import type { BunPart, Origin } from "../bun.parts.ts";

/** A third-party part of a binary or an image. */
export interface Component {
  readonly name: string;
  readonly version?: string | undefined;
  /** The version is the oldest that the part can have: its author does not say which of those it is. */
  readonly atLeast?: true | undefined;
  /** An SPDX expression; undefined where the authors name no licence. */
  readonly license?: string | undefined;
  readonly url?: string | undefined;
  readonly type: "library" | "application" | "data" | "operating-system";
  /** The package URL, if a registry or a forge has the component. */
  readonly purl?: string;
  /** Names in the dictionary of the National Vulnerability Database, the current one first. */
  readonly cpe?: readonly string[] | undefined;
  /** The registry's SHA-512 of the package, in base64. */
  readonly sha512?: string | undefined;
  readonly sha256?: string | undefined;
  readonly text: string;
  /** The name of the component that brings this one inside itself. */
  readonly within?: string | undefined;
  /** What documents call the components that this one asks for. */
  readonly needs?: readonly string[] | undefined;
  /** The binary asks for it by itself. */
  readonly direct?: true | undefined;
}

/** What a document calls a component. A copy inside another component has that one in front: its package may be in the binary as well. */
export const componentReference = ({ name, purl, within }: Pick<Component, "name" | "purl" | "within">): string =>
  within === undefined || purl === undefined ? (purl ?? name) : `${within}/${purl}`;

/** Returns the package URL for a package of npm, whose version may be unknown. */
export const npmUrl = (name: string, version?: string): string =>
  `pkg:npm/${name.replace("@", "%40")}${version === undefined ? "" : `@${version}`}`;

/** Returns the package URL of a part of Bun: by its commit or its tag, and by neither where nothing is known. */
function urlOf({ repository, folder, commit, tag, release }: Origin): string {
  if (!repository.includes("/")) return `pkg:generic/${repository}@${release}`;
  const version = commit ?? tag;
  // The standard has names of GitHub in lower case.
  const base = `pkg:github/${repository.toLowerCase()}${version === undefined ? "" : `@${version}`}`;
  return folder === undefined ? base : `${base}#${folder}`;
}

/** Writes a name of the dictionary for a version. A suffix such as rc is in a field of its own there. */
export function cpeOf(vendorAndProduct: string, version: string): string {
  const [, release = version, update = ""] = /^([\d.]+)([a-z]\w*)?$/.exec(version) ?? [];
  return `cpe:2.3:a:${vendorAndProduct}:${release}:${update === "" ? "*" : update}:*:*:*:*:*:*`;
}

/** Describes a part of Bun. A commit behind a release has that release's number, with the commit as its build. */
export function partOfBun({ name, url, license, origin, cpe = [] }: BunPart, text: string): Component {
  const { release, commit, atLeast } = origin;
  const behind = release !== undefined && commit !== undefined && atLeast === true;
  return {
    name,
    version: behind ? `${release}+${commit.slice(0, 12)}` : (release ?? commit),
    ...(atLeast && { atLeast }),
    license,
    url,
    type: "library",
    purl: urlOf(origin),
    cpe: release === undefined ? [] : cpe.map((each) => cpeOf(each, release)),
    text,
    within: "bun",
  };
}
