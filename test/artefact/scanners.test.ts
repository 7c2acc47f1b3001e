import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { bunParts } from "../../src/build/bun.parts.ts";
import { componentsOf, partsOf } from "../../src/build/components.ts";
import { cpeOf } from "../../src/build/contents/component.ts";
import { writeImageSbom } from "../../src/build/contents/image.ts";
import { linkTo, writeSbom } from "../../src/build/contents/sbom.ts";
import { fetchParts } from "../../src/build/targets.ts";

// The rules by which Grype and the scanners like it compare a list of contents with advisories: a package by the type and name of its package
// URL and a range of versions, and what no registry has by vendor and product of the dictionary and a range. The same documents were matched by
// Grype 0.121 with a database of these advisories, with the same result.
const subject = {
  name: "gatehouse",
  version: "1.2.3",
  revision: "abc123",
  target: "linux-x64",
  sha256: "0".repeat(64),
};
const epoch = 1_700_000_000;
let bom = "";
beforeAll(async () => {
  const parts = await fetchParts(join(import.meta.dir, "../..", "node_modules", ".cache", "gatehouse"));
  const components = await componentsOf(["src/main.ts", "src/admin.ts"]);
  bom = writeSbom(subject, [...components, ...(await partsOf("linux-x64", parts("linux-x64").addon))], epoch);
}, 120_000);

const Bom = Type.Object({
  components: Type.Array(
    Type.Object({
      name: Type.String(),
      purl: Type.Optional(Type.String()),
      cpe: Type.Optional(Type.String()),
      properties: Type.Optional(Type.Array(Type.Object({ name: Type.String(), value: Type.String() }))),
    }),
  ),
});
type Listed = Static<typeof Bom>["components"][number];

/** Says whether a version is below another one. Versions that are no releases are below none. */
const isBelow = (version: string, fixed: string): boolean =>
  /^\d+(?:\.\d+)*/.test(version) && Bun.semver.order(threeParts(version), threeParts(fixed)) < 0;
const threeParts = (version: string): string => `${version.replace(/\+.*/, "")}.0.0`.split(".").slice(0, 3).join(".");

/** An advisory of a registry: the package that it is about, as in a package URL, and the first version without the hole. */
const byPackage = (type: string, name: string, fixed: string) => (listed: Listed) => {
  const [, ofType, ofName = "", version = ""] = /^pkg:([a-z]+)\/([^@?#]+)@([^?#]+)/.exec(listed.purl ?? "") ?? [];
  return ofType === type && decodeURIComponent(ofName) === name && isBelow(decodeURIComponent(version), fixed);
};

/** An advisory of the National Vulnerability Database. */
const byDictionary = (vendor: string, product: string, fixed: string) => (listed: Listed) => {
  const further = (listed.properties ?? []).filter(({ name }) => name === "syft:cpe23").map(({ value }) => value);
  return [listed.cpe ?? "", ...further].some((cpe) => {
    const [, , , ofVendor, ofProduct, version = ""] = cpe.split(":");
    return ofVendor === vendor && ofProduct === product && isBelow(version, fixed);
  });
};

const releaseOf = (part: string): string => bunParts.find(({ name }) => name === part)?.origin.release ?? "";

const matches = (document: string, rule: (listed: Listed) => boolean): readonly string[] =>
  Value.Parse(Bom, JSON.parse(document))
    .components.filter(rule)
    .map(({ name }) => name);

describe("a list of contents is matched with advisories", () => {
  test("A-60 of a package, of one inside another, of the runtime, and of a crate in native code", () => {
    expect(matches(bom, byPackage("npm", "cookie", "0.7.0"))).toEqual(["cookie"]);
    expect(matches(bom, byPackage("npm", "dompurify", "99.0.0"))).toEqual(["dompurify"]);
    expect(matches(bom, byPackage("npm", "js-yaml", "99.0.0"))).toEqual(["js-yaml"]);
    expect(matches(bom, byPackage("npm", "bun", "99.0.0"))).toEqual(["bun"]);
    expect(matches(bom, byPackage("cargo", "argon2-rust", "99.0.0"))).toEqual(["argon2-rust"]);
    expect(matches(bom, byPackage("generic", "sqlite", "99.0.0"))).toEqual(["sqlite"]);
  });

  test("A-60 of a native part by its name in the dictionary, the former one as well", () => {
    expect(matches(bom, byDictionary("sqlite", "sqlite", "99.0.0"))).toEqual(["sqlite"]);
    expect(matches(bom, byDictionary("libarchive", "libarchive", "99.0.0"))).toEqual(["libarchive"]);
    expect(matches(bom, byDictionary("facebook", "zstandard", "99.0.0"))).toEqual(["zstd"]);
    for (const vendor of ["c-ares", "c-ares_project"])
      expect(matches(bom, byDictionary(vendor, "c-ares", "99.0.0"))).toEqual(["c-ares"]);
  });

  test("A-60 and not with those that are mended in its versions, or about another part", () => {
    expect(matches(bom, byPackage("npm", "cookie", "0.5.0"))).toEqual([]);
    expect(matches(bom, byPackage("npm", "sqlite", "99.0.0"))).toEqual([]);
    expect(matches(bom, byDictionary("sqlite", "sqlite", releaseOf("sqlite")))).toEqual([]);
    expect(matches(bom, byDictionary("c-ares", "c-ares", releaseOf("c-ares")))).toEqual([]);
    expect(cpeOf("tinycc:tinycc", "0.9.28rc")).toBe("cpe:2.3:a:tinycc:tinycc:0.9.28:rc:*:*:*:*:*:*");
  });
});

test("A-60 an image has a list of its own: the C library of each machine, and the binaries with a link to theirs", async () => {
  const held = [
    { architecture: "amd64", subject, bom },
    { architecture: "arm64", subject: { ...subject, target: "linux-arm64" }, bom },
  ] as const;
  const text = writeImageSbom({ ...subject, target: "image" }, held, epoch);
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
  expect(text).toContain(`"url": "${linkTo(bom)}"`);
  const { components } = Value.Parse(Bom, JSON.parse(text));
  const packages = components.flatMap(({ purl }) => purl ?? []);
  for (const architecture of ["amd64", "arm64"])
    for (const [name, source] of [
      ["libc6", "glibc"],
      ["libgcc-s1", "gcc-12"],
    ] as const) {
      const form = new RegExp(
        `^pkg:deb/debian/${name}@[\\w.%-]+\\?arch=${architecture}&distro=debian-12&upstream=${source}$`,
      );
      expect(packages.filter((purl) => form.test(purl))).toHaveLength(1);
    }
  expect(components.find(({ name }) => name === "debian")).toBeDefined();
});
