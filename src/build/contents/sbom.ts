import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { supportedUntil } from "../../core/support.ts";
import { componentReference, type Component } from "./component.ts";
import { graphOf } from "./graph.ts";

/** The binary that a document is about. */
export interface Subject {
  readonly name: string;
  readonly version: string;
  readonly revision: string;
  readonly target: string;
  readonly sha256: string;
}

/** Returns the components of one binary as a CycloneDX 1.6 document, with what asks for what. */
export function writeSbom(subject: Subject, components: readonly Component[], epoch: number): string {
  const listed = describeAll(components);
  const document = {
    ...headOf(subject, listed, epoch, {
      licenses: [{ license: { id: "MIT" } }],
      properties: [
        { name: "gatehouse:revision", value: subject.revision },
        { name: "gatehouse:target", value: subject.target },
        { name: "gatehouse:supported-until", value: supportedUntil(epoch * 1000) },
      ],
    }),
    components: listed,
    ...graphOf(referenceOf(subject), components),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

export const describeAll = (components: readonly Component[]) =>
  components.map(describe).toSorted((one, other) => (one["bom-ref"] < other["bom-ref"] ? -1 : 1));

/** Returns what a document about a binary begins with. `content` is what it says, and `about` what it says besides of the binary. */
export const headOf = (subject: Subject, content: unknown, epoch: number, about: object = {}) => ({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  serialNumber: serialOf(JSON.stringify([subject, content])),
  version: 1,
  metadata: {
    timestamp: new Date(epoch * 1000).toISOString(),
    component: {
      type: "application",
      "bom-ref": referenceOf(subject),
      name: subject.name,
      version: subject.version,
      hashes: [{ alg: "SHA-256", content: subject.sha256 }],
      ...about,
    },
  },
});

export const referenceOf = ({ name, version }: Pick<Subject, "name" | "version">): string => `${name}@${version}`;

/** Describes a component. JSON leaves out what is undefined. */
function describe(component: Component) {
  const { name, version, atLeast, license, url, type, purl, cpe = [], sha512, sha256 } = component;
  const [current, ...former] = cpe;
  // A document has one name of the dictionary for each component. Syft and Grype keep further ones here, and read them.
  const properties = [
    ...former.map((value) => ({ name: "syft:cpe23", value })),
    ...(atLeast ? [{ name: "gatehouse:version", value: "at-least" }] : []),
    ...(version === undefined && type === "library" ? [{ name: "gatehouse:version", value: "unknown" }] : []),
  ];
  const hashes = [
    ...(sha512 === undefined ? [] : [{ alg: "SHA-512", content: Buffer.from(sha512, "base64").toString("hex") }]),
    ...(sha256 === undefined ? [] : [{ alg: "SHA-256", content: sha256 }]),
  ];
  return {
    type,
    "bom-ref": componentReference(component),
    name,
    version,
    licenses: license && [isExpression(license) ? { expression: license } : { license: { id: license } }],
    cpe: current,
    purl,
    hashes: hashes.length > 0 ? hashes : undefined,
    externalReferences: url && [{ type: "website", url }],
    properties: properties.length > 0 ? properties : undefined,
  };
}

const isExpression = (license: string): boolean => / (?:AND|OR|WITH) /.test(license);

/** Returns a version 8 UUID (RFC 9562) of the content, so that equal binaries have equal documents. */
function serialOf(content: string): string {
  const hex = new Bun.CryptoHasher("sha256").update(content).digest("hex");
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const Named = Type.Object({ serialNumber: Type.String(), version: Type.Number() });

/** Returns the name by which other documents refer to this one. */
export function linkTo(bom: string): string {
  const { serialNumber, version } = Value.Parse(Named, JSON.parse(bom));
  return `urn:cdx:${serialNumber.replace("urn:uuid:", "")}/${version}`;
}
