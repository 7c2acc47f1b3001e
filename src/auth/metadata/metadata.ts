import { invalidFields } from "../../core/errors.ts";
import { isFault } from "../../core/fields.ts";
import { patched, type MergePatch } from "./merge.patch.ts";
import { metadataKinds, noMetadata, type Metadata, type MetadataKind } from "./metadata.repository.ts";

/** Changes of the objects of an account; an undefined one stays as it is. */
export type MetadataPatch = Readonly<Partial<Record<MetadataKind, MergePatch | undefined>>>;

/** The objects by their names in the API. */
export const metadataNames: Readonly<Record<MetadataKind, string>> = {
  app: "app_metadata",
  user: "user_metadata",
  private: "private_metadata",
};

/** Returns the objects as the patch makes them. Throws `invalid_payload` for an outcome that is too large. */
export function patchedMetadata(stored: Metadata, patch: MetadataPatch = {}): Metadata {
  const outcome = { ...stored };
  const faults: Record<string, unknown> = {};
  for (const kind of metadataKinds) {
    const change = patch[kind];
    if (change === undefined) continue;
    const text = patched(stored[kind], change);
    if (isFault(text)) faults[metadataNames[kind]] = text;
    else outcome[kind] = text;
  }
  if (Object.keys(faults).length > 0) throw invalidFields(faults);
  return outcome;
}

/** Returns the objects of a new account; undefined where there is nothing to keep. Throws `invalid_payload`. */
export function newMetadata(patch: MetadataPatch): Metadata | undefined {
  const metadata = patchedMetadata(noMetadata, patch);
  return metadataKinds.every((kind) => metadata[kind] === noMetadata[kind]) ? undefined : metadata;
}
