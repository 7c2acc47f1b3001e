import type { Component } from "./component.ts";

/**
 * Lists the crates that an addon in Rust says it is made of: where it may fail, it keeps the path of its source, with name and version.
 * Crates that can't fail are not found.
 */
export function cratesOf(addon: Uint8Array, within: string, text: string): readonly Component[] {
  const content = new TextDecoder("latin1").decode(addon);
  const crates = [...content.matchAll(/\/([a-z][a-z0-9_-]*?)-(\d+\.\d+\.\d+(?:-[\w.]+)?)\/src\//g)];
  const compiler = /\/rustc\/([0-9a-f]{40})\/library\//.exec(content)?.[1];
  const all = crates.map(([, name = "", version = ""]): Component => ({
    name,
    version,
    type: "library",
    purl: `pkg:cargo/${name}@${version}`,
    text,
    within,
  }));
  if (compiler !== undefined)
    all.push({
      name: "rust",
      version: compiler,
      license: "MIT OR Apache-2.0",
      type: "library",
      purl: `pkg:github/rust-lang/rust@${compiler}#library/std`,
      text,
      within,
    });
  return [...new Map(all.map((each) => [each.purl, each])).values()].toSorted((one, other) =>
    one.name < other.name ? -1 : 1,
  );
}
