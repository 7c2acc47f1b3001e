import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { bunParts } from "../../src/build/bun.parts.ts";
import { componentsOf, partsOf } from "../../src/build/components.ts";
import type { Component } from "../../src/build/contents/component.ts";
import { writeNotices } from "../../src/build/notices.ts";
import { writeSbom } from "../../src/build/contents/sbom.ts";
import { fetchParts, isTarget, targets, type TargetName } from "../../src/build/targets.ts";
import { writeVex } from "../../src/build/contents/vex.ts";
import { knownHoles } from "../../src/build/contents/vulnerabilities.ts";
import { manual } from "../support/manual.ts";

const root = join(import.meta.dir, "..", "..");
let components: readonly Component[] = [];
let ofTarget: (name: TargetName) => Promise<readonly Component[]>;
beforeAll(async () => {
  components = await componentsOf(["src/main.ts", "src/admin.ts"]);
  const parts = await fetchParts(join(root, "node_modules", ".cache", "gatehouse"));
  ofTarget = (name) => partsOf(name, parts(name).addon);
}, 120_000);

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
      writeSbom(subject, [...components, ...(await ofTarget("linux-arm64-musl"))], 1_700_000_000);
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
    const fromNpm = (all: readonly Component[]): readonly Component[] =>
      all.filter(
        ({ name, purl, type, within }) =>
          purl?.startsWith("pkg:npm/") === true && type !== "data" && name !== "bun" && within !== "swagger-ui-dist",
      );
    expect(fromNpm(components).filter(({ sha512 }) => sha512 === undefined)).toEqual([]);
    for (const target of Object.keys(targets).filter(isTarget)) {
      const parts = fromNpm(await ofTarget(target));
      expect(parts).toHaveLength(2);
      expect(parts.filter(({ sha512 }) => sha512 === undefined)).toEqual([]);
    }
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

  test("A-60 has the version of each part of Bun that this version of Bun names, and an origin of all", () => {
    const named = bunParts.filter(({ origin }) => origin.named !== undefined);
    expect(named.length).toBeGreaterThan(15);
    for (const { name, origin } of named)
      expect([name, process.versions[origin.named ?? ""]]).toEqual([name, origin.commit ?? origin.release]);
    const parts = components.filter(({ within, type }) => within === "bun" && type === "library");
    expect(parts).toHaveLength(bunParts.length);
    expect(parts.filter(({ purl }) => !/^pkg:(?:github|generic)\//.test(purl ?? ""))).toEqual([]);
    // A name in the dictionary without a version would match every hole that its product ever had.
    expect(parts.flatMap(({ cpe = [] }) => cpe).filter((cpe) => !/^cpe:2\.3:a(?::[^:*]+){3}:/.test(cpe))).toEqual([]);
  });

  test("A-60 says what asks for what, from the binary down to all parts, and of which that is all", async () => {
    const text = writeSbom(subject, [...components, ...(await ofTarget("linux-x64"))], 1_700_000_000);
    const { metadata, components: listed, dependencies, compositions } = Value.Parse(Graph, JSON.parse(text));
    const top = metadata.component["bom-ref"];
    const all = [top, ...listed.map((each) => each["bom-ref"])];
    expect(new Set(all).size).toBe(all.length);
    expect(dependencies.map(({ ref }) => ref).toSorted()).toEqual(all.toSorted());
    const reached = new Set<string>([top]);
    for (const ref of reached)
      for (const next of dependencies.find((each) => each.ref === ref)?.dependsOn ?? []) reached.add(next);
    expect([...reached].toSorted()).toEqual(all.toSorted());
    expect(compositions.flatMap((each) => each.dependencies).toSorted()).toEqual(all.toSorted());
    const { dependencies: direct, engines } = manifest;
    const [elysia, cookies] = [
      `pkg:npm/elysia@${direct.elysia}`,
      `pkg:npm/%40elysiajs/cookie@${direct["@elysiajs/cookie"]}`,
    ];
    const bun = `pkg:npm/bun@${engines.bun}`;
    const asks = (ref: string): readonly string[] => dependencies.find((each) => each.ref === ref)?.dependsOn ?? [];
    expect(asks(top)).toContain(elysia);
    expect(asks(cookies)).toContain("pkg:npm/cookie@0.5.0");
    expect(asks(bun)).toContain(`bun/pkg:generic/sqlite@${process.versions["sqlite"]}`);
    const aggregates = new Map(compositions.flatMap((each) => each.dependencies.map((ref) => [ref, each.aggregate])));
    expect(aggregates.get(bun)).toBe("incomplete_third_party_only");
    expect(aggregates.get(elysia)).toBe("complete");
  });
});

const Bom = Type.Object({
  serialNumber: Type.String(),
  metadata: Type.Object({ component: Type.Object({ properties: Type.Array(Type.Unknown()) }) }),
  components: Type.Array(Type.Object({ "bom-ref": Type.String() })),
});
const Graph = Type.Object({
  metadata: Type.Object({ component: Type.Object({ "bom-ref": Type.String() }) }),
  components: Type.Array(Type.Object({ "bom-ref": Type.String() })),
  dependencies: Type.Array(Type.Object({ ref: Type.String(), dependsOn: Type.Array(Type.String()) })),
  compositions: Type.Array(Type.Object({ aggregate: Type.String(), dependencies: Type.Array(Type.String()) })),
});
const Vex = Type.Object({
  vulnerabilities: Type.Array(
    Type.Object({
      id: Type.String(),
      analysis: Type.Object({
        state: Type.String(),
        justification: Type.Optional(Type.String()),
        detail: Type.String(),
      }),
      affects: Type.Array(Type.Object({ ref: Type.String() })),
    }),
  ),
});

test("A-67 the list of contents says until when holes of the release are mended: a year from its sources", () => {
  const { metadata } = Value.Parse(Bom, JSON.parse(writeSbom(subject, components, 1_700_000_000)));
  expect(metadata.component.properties).toContainEqual({ name: "gatehouse:supported-until", value: "2024-11-13" });
});

describe("what is known of holes in the parts of a binary", () => {
  const epoch = 1_700_000_000;
  const write = (holes = knownHoles): string =>
    writeVex(subject, { bom: writeSbom(subject, components, epoch), components, epoch }, holes);

  test("A-68 is valid CycloneDX 1.6, the same for the same binary, and refers to parts of its list of contents", async () => {
    const text = write();
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
    expect(write()).toBe(text);
    const bom = Value.Parse(Bom, JSON.parse(writeSbom(subject, components, epoch)));
    const { vulnerabilities } = Value.Parse(Vex, JSON.parse(text));
    const links = vulnerabilities.flatMap(({ affects }) => affects.map(({ ref }) => ref));
    const start = `${bom.serialNumber.replace("urn:uuid:", "urn:cdx:")}/1#`;
    const listed = bom.components.map((each) => `${start}${encodeURIComponent(each["bom-ref"])}`);
    expect(vulnerabilities).toHaveLength(knownHoles.length);
    expect(links.filter((link) => !listed.includes(link))).toEqual([]);
    expect(links.filter((link) => link.endsWith("cookie%400.5.0"))).toHaveLength(1);
  });

  test("A-68 says of each hole whether it is mended, or why it does no harm", () => {
    const { vulnerabilities } = Value.Parse(Vex, JSON.parse(write()));
    for (const { id, analysis } of vulnerabilities) {
      const hole = knownHoles.find((each) => each.id === id);
      if (hole === undefined) throw new Error(`nothing is known of ${id}`);
      const state = hole.harmless === undefined ? { state: "resolved" } : { state: "not_affected", ...hole.harmless };
      expect(analysis).toEqual({ ...state, detail: hole.detail });
    }
    expect(vulnerabilities.map(({ analysis }) => analysis.state)).toContainValues(["resolved", "not_affected"]);
  });

  test("A-68 is not written where the parts contradict it", () => {
    const [harmless, mended] = [knownHoles[0], knownHoles[1]];
    if (harmless === undefined || mended === undefined) throw new Error("two statements are needed");
    expect(() => write([{ ...mended, fixedIn: "999.0.0" }])).toThrow("is said to be mended, but elysia is older");
    expect(() => write([{ ...harmless, fixedIn: "0.0.1" }])).toThrow("is said to be harmless, but no cookie is older");
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
