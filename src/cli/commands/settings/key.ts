import { generateKeyPairSync } from "node:crypto";
import { randomToken } from "../../../core/crypto.ts";
import { command, exitCode, UsageError, type Terminal } from "../../command.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";

const algorithms = {
  EdDSA: () => generateKeyPairSync("ed25519"),
  ES256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
} as const;

/** Variables whose values are random tokens. */
export const generatedSecrets = ["API_JWT_SECRET_KEY", "APP_KEY", "APP_DIAG_TOKEN", "ADMIN_APP_DIAG_TOKEN"] as const;

const howToSet = `This is API_JWT_PRIVATE_KEY. Keep it in a file that only the service can read, and name that file in
API_JWT_PRIVATE_KEY_FILE. Where another key signs so far, its public half belongs into API_JWT_PREVIOUS_PUBLIC_KEYS.`;

/** Prints a private key. Its purpose goes to standard error: standard output holds the value alone. */
function printSigningKey(terminal: Terminal, alg: keyof typeof algorithms, asJson: boolean): void {
  const pem = algorithms[alg]().privateKey.export({ type: "pkcs8", format: "pem" }).trimEnd();
  terminal.out(asJson ? jsonLine({ API_JWT_PRIVATE_KEY: pem }) : pem);
  terminal.err(howToSet);
}

/** Prints secrets of 256 bits, including a diagnostic token for each app, as lines to append to an environment file. */
export const generate = command({
  args: {
    signing: { type: "boolean", description: "Print a private key for access tokens instead, in PEM" },
    json: jsonObject,
    alg: { type: "enum", options: ["EdDSA", "ES256"], description: "What that key signs with (default: EdDSA)" },
  },
  async run({ terminal }, args) {
    if (args.alg !== undefined && args.signing !== true) throw new UsageError("--alg goes with --signing");
    const asJson = args.json === true;
    const secrets = generatedSecrets.map((name) => [name, randomToken()] as const);
    if (args.signing === true) printSigningKey(terminal, args.alg ?? "EdDSA", asJson);
    else if (asJson) terminal.out(jsonLine(Object.fromEntries(secrets)));
    else for (const [name, secret] of secrets) terminal.out(`${name}=${secret}`);
    return exitCode.done;
  },
});
