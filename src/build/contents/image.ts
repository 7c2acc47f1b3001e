import { debian, debianPackages, type Architecture } from "../libraries.ts";
import type { Component } from "./component.ts";
import { graphOf } from "./graph.ts";
import { describeAll, headOf, linkTo, referenceOf, type Subject } from "./sbom.ts";

interface Held {
  readonly architecture: Architecture;
  /** What the list of contents of the binary says of itself. */
  readonly subject: Subject;
  readonly bom: string;
}

/** Describes the packages of Debian in an image. Scanners compare versions of the source packages, which the package URL names. */
const librariesOf = (architecture: Architecture): readonly Component[] =>
  debianPackages(architecture).map(({ name, source, license, version, sha256 }) => ({
    name,
    version,
    license,
    type: "library",
    purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=${debian.id}-${debian.version}&upstream=${source}`,
    sha256,
    text: "",
  }));

const system: Component = { name: debian.id, version: debian.version, type: "operating-system", text: "" };

/**
 * Returns the components of an image as a CycloneDX 1.6 document: the C library for each architecture, and the binaries, whose own lists of
 * contents it refers to.
 */
export function writeImageSbom(subject: Subject, held: readonly Held[], epoch: number): string {
  const libraries = held.flatMap(({ architecture }) => librariesOf(architecture));
  const listed = describeAll([system, ...libraries]);
  const binaries = held.map(({ subject: binary, bom }) => ({
    type: "application",
    "bom-ref": `${binary.target}/${referenceOf(binary)}`,
    name: binary.name,
    version: binary.version,
    licenses: [{ license: { id: "MIT" } }],
    hashes: [{ alg: "SHA-256", content: binary.sha256 }],
    externalReferences: [{ type: "bom", url: linkTo(bom) }],
    properties: [{ name: "gatehouse:target", value: binary.target }],
  }));
  const { dependencies, compositions } = graphOf(referenceOf(subject), [system, ...libraries]);
  const [root, ...others] = dependencies;
  const document = {
    ...headOf(subject, [listed, binaries], epoch, { type: "container" }),
    components: [...binaries, ...listed],
    dependencies: [
      { ref: root?.ref, dependsOn: [...binaries.map((each) => each["bom-ref"]), ...(root?.dependsOn ?? [])] },
      ...binaries.map((each, index) => ({
        ref: each["bom-ref"],
        dependsOn: listed
          .map((library) => library["bom-ref"])
          .filter((reference) => reference.includes(`?arch=${held[index]?.architecture}&`)),
      })),
      ...others,
    ],
    compositions,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
