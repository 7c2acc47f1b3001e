import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { ofBinaries, ofDevelopment, takenYoung } from "./supply/dependencies.ts";
import { ageInDays, locked, taken } from "./supply/locked.ts";
import { dependenciesPage, path } from "./supply/page.ts";

const root = join(import.meta.dir, "..");

describe("the chapter about packages", () => {
  test("has each package of package.json once, with its reason", () => {
    // These two are bundled into the pages, and so are no dependency of what runs on a server.
    const bundled = new Set(["preact", "@preact/signals"]);
    const named = Object.keys(manifest.devDependencies);
    expect(ofBinaries.map(({ name }) => name).toSorted()).toEqual(
      [...Object.keys(manifest.dependencies), ...bundled].toSorted(),
    );
    expect(ofDevelopment.map(({ name }) => name).toSorted()).toEqual(
      named.filter((name) => !bundled.has(name)).toSorted(),
    );
  });

  test("is what `bun test/standards/write.ts` makes", () => {
    expect(readFileSync(join(root, path), "utf8")).toBe(dependenciesPage());
  });
});

describe("A-70 of every package in the lockfiles", () => {
  const excepted = takenYoung.flatMap(({ ids }) => ids);

  test("the day of its release is known", () => {
    expect(taken.map(({ id }) => id).toSorted()).toEqual([...locked].toSorted());
  });

  test("none was taken before it was 14 days old, but for those that say why", () => {
    const young = taken.filter((each) => ageInDays(each) < 14).map(({ id }) => id);
    expect(young.toSorted()).toEqual(excepted.toSorted());
  });

  test("the installer refuses younger ones by itself", () => {
    const settings = Bun.TOML.parse(readFileSync(join(root, "bunfig.toml"), "utf8"));
    expect(settings).toMatchObject({ install: { exact: true, minimumReleaseAge: 14 * 24 * 60 * 60 } });
  });
});
