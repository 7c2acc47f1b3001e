import { join } from "node:path";
import { supportedUntil } from "../core/support.ts";

export const overview = "README.txt";

/** What the published files are, by the form of their paths. The first form that fits counts. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/\.sha256$/, "its checksum"],
  [/\.sig$/, "its signature, for ssh-keygen -Y verify"],
  [/\.vex\.cdx\.json$/, "which known holes of its parts concern it (CycloneDX VEX)"],
  [/\.oci\.tar\.cdx\.json$/, "the list of what is in the image besides the binary (CycloneDX)"],
  [/\.cdx\.json$/, "the list of what is in it (CycloneDX)"],
  [/^linux-[^/]*-musl\/gatehouse-admin$/, "the pages for staff, for Alpine and other systems with musl"],
  [/^linux-[^/]*-musl\/gatehouse$/, "the service, for Alpine and other systems with musl"],
  [/^linux-[^/]*\/gatehouse-admin$/, "the pages for staff"],
  [/^linux-[^/]*\/gatehouse$/, "the service: one binary"],
  [/\.deb$/, "a package for Debian and Ubuntu"],
  [/\.oci\.tar$/, "an image for podman, docker and skopeo"],
  [/^kits\/gatehouse-client-.*\.tgz$/, "the client and the gates for JavaScript, for npm install"],
  [/^kits\/gatehouse_auth-.*\.whl$/, "the gate for Python, for pip install"],
  [/^kits\/gatehouse-go-.*\.zip$/, "the gate for Go"],
  [/^kits\/gatehouse-example-.*\.zip$/, "an app with Gatehouse and nginx that one command starts, and a compose.yaml"],
];

function wordsOf(path: string): string {
  const words = kinds.find(([form]) => form.test(path))?.[1];
  if (words === undefined) throw new Error(`${path} is published and has no words in ${overview}`);
  return words;
}

interface Overview {
  readonly outdir: string;
  readonly files: readonly string[];
  readonly version: string;
  readonly revision: string;
  readonly epoch: number;
}

/** The first steps, for those who have the folder and nothing else. */
const beginning = (binary: string): readonly string[] => [
  "To look at it on this machine (data and secrets are kept in the folder in which you start it):",
  `  APP_ENV=local ./${binary} migrate`,
  `  APP_ENV=local ./${binary}`,
  "To install it, as root of a Debian or Ubuntu host; --dry-run behind it says before what that would do:",
  `  ./${binary} host:install --url https://auth.example.com`,
  "Each says what comes next.",
  "",
];

/** Writes the file that says what each of the published files is. Throws where one has no words. */
export async function writeOverview({ outdir, files, version, revision, epoch }: Overview): Promise<void> {
  const width = Math.max(...files.map((path) => path.length));
  const lines = files.toSorted().map((path) => `  ${path.padEnd(width)}  ${wordsOf(path)}`);
  const binary = ["linux-x64/gatehouse", "linux-arm64/gatehouse"].find((path) => files.includes(path));
  const text = [
    `Gatehouse ${version} (${revision})`,
    "",
    ...(binary === undefined ? [] : beginning(binary)),
    ...lines,
    "",
    `Holes of this release are mended until ${supportedUntil(epoch * 1000)} at least: "Support and holes" in the manual says how.`,
    "SHA256SUMS has the checksums of all of it: sha256sum --check --strict SHA256SUMS",
    "Where there is a docs folder, docs/index.html is the manual of this version.",
    "",
  ];
  await Bun.write(join(outdir, overview), text.join("\n"));
}
