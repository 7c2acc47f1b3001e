import manifest from "../../package.json" with { type: "json" };
import { bunParts, type BunPart } from "../../src/build/bun.parts.ts";
import { partOfBun } from "../../src/build/contents/component.ts";
import { ofBinaries, ofDevelopment, takenYoung, type Dependency } from "./dependencies.ts";
import { releasedOn } from "./locked.ts";

export const path = "src/docs/reference/dependencies.md";

const versions: Readonly<Record<string, string>> = { ...manifest.dependencies, ...manifest.devDependencies };

/** Returns the id in the lockfile for a name of package.json, which may be an alias such as `npm:express@4.22.3`. */
const idOf = (name: string): string => {
  const version = versions[name] ?? "";
  return version.startsWith("npm:") ? version.slice("npm:".length) : `${name}@${version}`;
};

function rowOf({ name, reason, maintainer, instead }: Dependency): string {
  const id = idOf(name);
  return `| ${[`\`${id}\``, releasedOn(id), reason, maintainer, instead].join(" | ")} |`;
}

const tableOf = (all: readonly Dependency[]): string =>
  `| package | released | what for | who looks after it | what would take its place |\n|---|---|---|---|---|\n${all.map(rowOf).join("\n")}`;

function rowOfPart(part: BunPart): string {
  const { version, atLeast, purl = "" } = partOfBun(part, "");
  const { named } = part.origin;
  const known =
    named === undefined ? "the sources of earlier versions of Bun, and texts in the binary" : "Bun names it";
  const words =
    version === undefined ? ["not known", "nobody says it"] : [`${atLeast ? "at least " : ""}\`${version}\``, known];
  return `| ${[part.name, ...words, `\`${purl}\``, part.cpe?.map((each) => `\`${each}\``).join(", ") ?? "none"].join(" | ")} |`;
}

export function dependenciesPage(): string {
  const young = takenYoung.map(({ ids, why }) => `| ${ids.map((id) => `\`${id}\``).join(", ")} | ${why} |`);
  return `${[
    "# What it is made of",
    "Every package that `package.json` names: why it is there, who looks after it by the package's own words, on which day the registry had the version that is pinned, and what would take its place if nobody looked after it any more. Versions are exact, and `bun.lock` has the digest of each package, those that packages bring included; [the list of contents](../concepts/holes.md#holes-in-what-it-is-made-of) of each binary has all that is in it.",
    "This page is made by `bun test/standards/write.ts` from `test/supply`, and a test compares it with `package.json` and the lockfiles.",
    "## In the binaries",
    tableOf(ofBinaries),
    "Two are tied to one framework (`@elysiajs/cookie`, `@elysiajs/jwt`), and four to one author (`arctic` and the three of `@oslojs`), whose packages have had few releases since 2025: they are small, and what would take their place is known.",
    "## In the runtime",
    `Bun ${manifest.engines.bun} is linked with these parts. It names the commits of most, which a test compares. A commit that is a release stands here by its number; one behind a release has the number of that one and its own first letters; one of an author without releases stands by itself. Of the others it is known that they are at least as new as a release. A scanner takes that release, and reports too much rather than too little. The names in the last column are those by which scanners know the advisories of these products; the database itself was not asked.`,
    `| part | version | how it is known | package URL | name in the National Vulnerability Database |\n|---|---|---|---|---|\n${bunParts.map(rowOfPart).join("\n")}`,
    "JavaScriptCore and BoringSSL have no name there by which a commit could be found: it knows the first by browsers and their versions, and the second by days. Rust crates in Bun and the packages that it keeps for bundles of browsers are not listed, since nothing published says which ones a version has: the list of contents says of Bun that it is incomplete.",
    "## To build and to test",
    tableOf(ofDevelopment),
    "## No release younger than 14 days",
    "A release of a package that turns out to be malicious is mostly found within days. So none is taken that the registry has had for less than 14: `minimumReleaseAge` in `bunfig.toml` keeps `bun install` from it, also for what packages bring, and `bun test/supply/write.ts` writes the days of new ones down, from the registry, which a test compares. A release that mends a hole is taken earlier; like everything else that was, it stands here with its reason.",
    `| package | why it was taken earlier |\n|---|---|\n${young.join("\n")}`,
  ].join("\n\n")}\n`;
}
