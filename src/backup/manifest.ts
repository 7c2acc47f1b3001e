import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type Clock, timestamp } from "../core/clock.ts";
import { deriveKey, hexMac, secretsEqual } from "../core/crypto.ts";
import type { Work } from "./work.folder.ts";
import { type Installation, tagOf } from "./names.ts";

/**
 * The file beside each backup that says which bytes the backup has, and whose it is. The bytes are those that are stored, so that an
 * encrypted backup can be checked without its secret key. Making a manifest takes the application key.
 */
const Manifest = Type.Object({
  gatehouse: Type.Literal("manifest"),
  format: Type.Literal(1),
  /** The whole name on a storage disk; elsewhere the file's name without its folder. */
  file: Type.String({ maxLength: 1_024 }),
  app: Type.String({ maxLength: 64 }),
  installation: Type.String({ maxLength: 64 }),
  /** The series of continuous copies that the backup belongs to; null for a backup that stands by itself. */
  series: Type.Union([Type.String({ maxLength: 64 }), Type.Null()]),
  /** The last migration of the database in the backup. */
  schema: Type.String({ maxLength: 200 }),
  made_at: Type.String({ maxLength: 40 }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  hmac: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});
export type Manifest = Static<typeof Manifest>;

/** Facts about a backup that its maker knows beforehand. */
export interface About {
  readonly schema: string;
  readonly series: string | null;
}

export interface Measured {
  readonly bytes: number;
  readonly sha256: string;
}

export interface ManifestOptions {
  readonly installation: Installation;
  readonly clock: Clock;
  /**
   * Called with the reason, in words, for each backup that nothing proves, which is then let through. Without this function it is refused.
   */
  readonly unproven?: ((why: string) => void) | undefined;
}

const ending = ".manifest.json";
export const mostManifestBytes = 8 * 1024;
export const manifestOf = (file: string): string => `${file}${ending}`;
export const manifestEnding = ending;
/** Returns the file that a manifest belongs to; undefined for the name of another file. */
export const fileOfManifest = (name: string): string | undefined =>
  name.endsWith(ending) ? name.slice(0, -ending.length) : undefined;

/** Thrown for a backup that is not what its manifest says, or that nothing proves. */
export class UnprovenBackup extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "UnprovenBackup";
  }
}

/** Makes the manifests of one installation, and checks those that it finds. */
export function createManifests({ installation, clock, unproven }: ManifestOptions) {
  const tag = tagOf(installation);
  const key = deriveKey(installation.key, "backup-manifest");
  const macOf = (manifest: Omit<Manifest, "hmac">): string =>
    hexMac(
      key,
      JSON.stringify([
        manifest.format,
        manifest.file,
        manifest.app,
        manifest.installation,
        manifest.series,
        manifest.schema,
        manifest.made_at,
        manifest.bytes,
        manifest.sha256,
      ]),
    );
  const lastResort = (name: string): string =>
    unproven === undefined
      ? ""
      : `. --unverified does not take it either; if it is all that is left, move ${manifestOf(name)} away first`;

  return {
    write(file: string, { series, schema }: About, { bytes, sha256 }: Measured): string {
      const facts = {
        gatehouse: "manifest" as const,
        format: 1 as const,
        file,
        app: installation.name,
        installation: tag,
        series,
        schema,
        made_at: timestamp(clock.now()),
        bytes,
        sha256,
      };
      return `${JSON.stringify({ ...facts, hmac: macOf(facts) }, undefined, 2)}\n`;
    },

    /**
     * Checks the manifest that was found for a file, and returns it; undefined where there is none and `unproven` lets that through. Throws
     * otherwise.
     */
    read(name: string, text: string | undefined): Manifest | undefined {
      if (text === undefined) {
        const why = `${name} has no manifest (${manifestOf(name)})`;
        if (unproven === undefined)
          throw new UnprovenBackup(
            `${why}: it was made by release 0.2.0 or an earlier one, what made it was stopped before its end, or somebody took ` +
              "the manifest away. --unverified takes it as it is",
          );
        unproven(why);
        return undefined;
      }
      const manifest = parse(name, text, lastResort(name));
      if (manifest.installation !== tag) {
        const why = `${name} is a backup of another installation: of ${manifest.installation}, and this one is ${tag}, by APP_ENV and APP_KEY`;
        if (unproven === undefined)
          throw new UnprovenBackup(`${why}. --unverified takes it, if it has the bytes that its manifest names`);
        unproven(why);
        return manifest;
      }
      const { hmac, ...facts } = manifest;
      if (!secretsEqual(hmac, macOf(facts)))
        throw new UnprovenBackup(
          `${manifestOf(name)} was changed, or is forged: it was not made with this installation's APP_KEY${lastResort(name)}`,
        );
      return manifest;
    },

    /** Throws unless the file has the bytes that its manifest names. */
    compare(name: string, manifest: Manifest, found: Partial<Measured>): void {
      const { bytes = manifest.bytes, sha256 = manifest.sha256 } = found;
      if (bytes !== manifest.bytes)
        throw new UnprovenBackup(
          `${name} has ${bytes} bytes, and its manifest names ${manifest.bytes}: it was cut off, prolonged or exchanged` +
            lastResort(name),
        );
      if (sha256 !== manifest.sha256)
        throw new UnprovenBackup(
          `${name} is not what was backed up: its SHA-256 is not the one that its manifest names, so it was damaged or changed` +
            lastResort(name),
        );
    },
  };
}

function parse(name: string, text: string, hint: string): Manifest {
  try {
    return Value.Parse(Manifest, JSON.parse(text));
  } catch (error) {
    throw new UnprovenBackup(`${manifestOf(name)} is no manifest of a backup: it was changed or cut off${hint}`, error);
  }
}

/** Passes the content on, and calls `done` once all of it was taken. An error that `done` throws ends the stream. */
export function measured(
  content: ReadableStream<Uint8Array>,
  done: (found: Measured) => void,
): ReadableStream<Uint8Array> {
  const hasher = new Bun.CryptoHasher("sha256");
  let bytes = 0;
  return content.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        hasher.update(chunk);
        controller.enqueue(chunk);
      },
      flush: () => done({ bytes, sha256: hasher.digest("hex") }),
    }),
  );
}

/** Counts and hashes a file of this host. */
export async function measure(path: string, { signal, onProgress }: Work): Promise<Measured> {
  const hasher = new Bun.CryptoHasher("sha256");
  const file = Bun.file(path);
  const { size } = file;
  let bytes = 0;
  for await (const chunk of file.stream()) {
    signal.throwIfAborted();
    bytes += chunk.length;
    hasher.update(chunk);
    onProgress?.(bytes, size);
  }
  return { bytes, sha256: hasher.digest("hex") };
}
