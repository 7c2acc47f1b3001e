import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { kernelCode } from "../system/index.ts";
import type { Place } from "./place.ts";

export const secretFolder = "/etc/credstore";
export const secretPath = (variable: string): string => `${secretFolder}/gatehouse.${variable}`;

/** Returns the secrets among `variables` that have no file below the root yet, as far as the caller may see. */
export async function missingSecrets(root: string, variables: readonly string[]): Promise<readonly string[]> {
  const names = await readdir(join(root, secretFolder)).catch((error: unknown): readonly string[] => {
    if (["ENOENT", "EACCES"].includes(kernelCode(error) ?? "")) return [];
    throw error;
  });
  return variables.filter((variable) => !names.includes(`gatehouse.${variable}`));
}

/** Writes a secret for root alone, unless it exists by now. The value is never shown. */
export async function placeSecret(place: Place, root: string, variable: string, value: string): Promise<boolean> {
  await place.folder(join(root, secretFolder), 0o700);
  return place.create({ path: join(root, secretPath(variable)), mode: 0o600, text: `${value}\n` });
}
