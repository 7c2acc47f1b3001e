// build.ts defines this constant in a binary: the licences of its components, gzipped and in base64. It is absent when the source tree runs
// as it is. Only `about --licenses` imports this file, so that nothing else holds the text in memory.
declare const GATEHOUSE_NOTICES: string;

/** Returns undefined when the sources run: their `node_modules` contain the licences. */
export const readLicenses = (): string | undefined =>
  typeof GATEHOUSE_NOTICES === "undefined"
    ? undefined
    : new TextDecoder().decode(Bun.gunzipSync(Buffer.from(GATEHOUSE_NOTICES, "base64")));
