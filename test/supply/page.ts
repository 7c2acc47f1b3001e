import manifest from "../../package.json" with { type: "json" };
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

export function dependenciesPage(): string {
  const young = takenYoung.map(({ ids, why }) => `| ${ids.map((id) => `\`${id}\``).join(", ")} | ${why} |`);
  return `${[
    "# What it is made of",
    "Every package that `package.json` names: why it is there, who looks after it by the package's own words, on which day the registry had the version that is pinned, and what would take its place if nobody looked after it any more. Versions are exact, and `bun.lock` has the digest of each package, those that packages bring included; [the list of contents](../concepts/holes.md#holes-in-what-it-is-made-of) of each binary has all that is in it.",
    "This page is made by `bun test/standards/write.ts` from `test/supply`, and a test compares it with `package.json` and the lockfiles.",
    "## In the binaries",
    tableOf(ofBinaries),
    "Two are tied to one framework (`@elysiajs/cookie`, `@elysiajs/jwt`), and four to one author (`arctic` and the three of `@oslojs`), whose packages have had few releases since 2025: they are small, and what would take their place is known.",
    "## To build and to test",
    tableOf(ofDevelopment),
    "## No release younger than 14 days",
    "A release of a package that turns out to be malicious is mostly found within days. So none is taken that the registry has had for less than 14: `minimumReleaseAge` in `bunfig.toml` keeps `bun install` from it, also for what packages bring, and `bun test/supply/write.ts` writes the days of new ones down, from the registry, which a test compares. A release that mends a hole is taken earlier; like everything else that was, it stands here with its reason.",
    `| package | why it was taken earlier |\n|---|---|\n${young.join("\n")}`,
  ].join("\n\n")}\n`;
}
