import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { bunParts } from "../../src/build/bun.parts.ts";
import { componentsOf, partsOf, type Component } from "../../src/build/components.ts";
import { writeNotices } from "../../src/build/notices.ts";
import { writeSbom } from "../../src/build/sbom.ts";
import { targets, isTarget } from "../../src/build/targets.ts";
import { manual } from "../support/manual.ts";

const root = join(import.meta.dir, "..", "..");
let components: readonly Component[] = [];
beforeAll(async () => {
  components = await componentsOf(["src/main.ts", "src/admin.ts"]);
});

const subject = {
  name: "gatehouse",
  version: "1.2.3",
  revision: "abc123",
  target: "linux-x64",
  sha256: "0".repeat(64),
};

describe("the list of contents", () => {
  test("A-60 is valid CycloneDX 1.6, and the same for the same binary", async () => {
    const write = async (): Promise<string> =>
      writeSbom(subject, [...components, ...(await partsOf("linux-arm64-musl"))], 1_700_000_000);
    const text = await write();
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
    expect(await write()).toBe(text);
  });

  test("A-60 names the packages that a binary holds with their digests, and none that only builds or tests it", async () => {
    const names = components.map(({ name }) => name);
    expect(names).toContainValues([
      ...Object.keys(manifest.dependencies),
      "preact",
      "@preact/signals",
      "bun",
      "sqlite",
    ]);
    expect(names).not.toContain("typescript");
    expect(names).not.toContain("oidc-provider");
    const fromNpm = components.filter(
      ({ name, purl, type }) => purl?.startsWith("pkg:npm/") === true && type === "library" && name !== "bun",
    );
    expect(fromNpm.filter(({ sha512 }) => sha512 === undefined)).toEqual([]);
    for (const target of Object.keys(targets).filter(isTarget))
      expect((await partsOf(target)).filter(({ sha512 }) => sha512 === undefined)).toEqual([]);
  });

  test("A-60 has everything that this version of Bun says it is linked with", async () => {
    const page = await Bun.file(join(root, "node_modules/bun-types/docs/project/license.mdx")).text();
    const table = page.slice(page.indexOf("## Linked libraries"), page.indexOf("## Polyfills"));
    const listed = [...table.matchAll(/^\| .*?\[`?([\w-]+)`?\]\(.*$/gm)].flatMap(([line, name = ""]) =>
      // One is for Windows alone.
      line.includes("libuv") ? [] : [name],
    );
    expect(listed.length).toBeGreaterThan(20);
    expect(bunParts.map(({ name }) => name)).toContainValues(listed);
  });
});

describe("the notices", () => {
  test("A-61 have the licence of everything that a binary holds, each text once", () => {
    const text = writeNotices(components);
    const texts = new Set(components.map((component) => component.text.trim().replaceAll("\r\n", "\n")));
    expect(text.split(`\n${"=".repeat(80)}\n`)).toHaveLength(texts.size + 1);
    for (const licence of texts) {
      expect(licence.length).toBeGreaterThan(40);
      expect(text).toContain(`\n${"-".repeat(80)}\n\n${licence}\n`);
    }
    for (const { name } of components) expect(text).toContain(`\n${name} `);
  });
});

test("the version is that of the newest release in the change log, and of the files that the manual names", async () => {
  const changes = await Bun.file(join(root, "CHANGELOG.md")).text();
  const [first, second = ""] = [...changes.matchAll(/^## (\S+)/gm)].map(([, name]) => name);
  expect([first, second]).toEqual(["Unreleased", manifest.version]);
  const named = [...manual.matchAll(/\bgatehouse[\w-]*[-_:](\d+\.\d+\.\d+)/g)].map(([, version]) => version);
  expect(named.length).toBeGreaterThan(3);
  expect(new Set(named)).toEqual(new Set([manifest.version]));
});
