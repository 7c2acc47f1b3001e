import { supportedUntil } from "../../core/support.ts";
import type { Component } from "../components.ts";

/** The binary that a document is about. */
export interface Subject {
  readonly name: string;
  readonly version: string;
  readonly revision: string;
  readonly target: string;
  readonly sha256: string;
}

/** Returns the components of one binary as a CycloneDX 1.6 document. */
export function writeSbom(subject: Subject, components: readonly Component[], epoch: number): string {
  const listed = components.map(describe).toSorted((one, other) => (one["bom-ref"] < other["bom-ref"] ? -1 : 1));
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
    dependencies: [{ ref: referenceOf(subject), dependsOn: listed.map((each) => each["bom-ref"]) }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

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

const referenceOf = ({ name, version }: Subject): string => `${name}@${version}`;

/** Describes a component. JSON leaves out what is undefined. */
const describe = ({ name, version, license, url, type, purl, sha512 }: Component) => ({
  type,
  "bom-ref": componentReference({ name, ...(purl !== undefined && { purl }) }),
  name,
  version,
  licenses: license && [isExpression(license) ? { expression: license } : { license: { id: license } }],
  purl,
  hashes: sha512 && [{ alg: "SHA-512", content: Buffer.from(sha512, "base64").toString("hex") }],
  externalReferences: url && [{ type: "website", url }],
});

/** What a document calls a component. */
export const componentReference = ({ name, purl }: Pick<Component, "name" | "purl">): string => purl ?? name;

const isExpression = (license: string): boolean => / (?:AND|OR|WITH) /.test(license);

/** Returns a version 8 UUID (RFC 9562) of the content, so that equal binaries have equal documents. */
function serialOf(content: string): string {
  const hex = new Bun.CryptoHasher("sha256").update(content).digest("hex");
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
