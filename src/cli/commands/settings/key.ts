import { randomToken } from "../../../core/crypto.ts";
import { newPrivateKey } from "../../../core/keys/signing.keys.ts";
import { command, exitCode, UsageError, type Terminal } from "../../command.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";

/** Variables whose values are random tokens. */
export const generatedSecrets = ["API_JWT_SECRET_KEY", "APP_KEY", "APP_DIAG_TOKEN", "ADMIN_APP_DIAG_TOKEN"] as const;

/** The keys by which this service signs people in to other programs, with what each signs with. Every library of resource servers takes ES256. */
export const providerKeys = { API_JWT_PRIVATE_KEY: "ES256", IDP_RSA_PRIVATE_KEY: "RS256" } as const;

const isProviderKey = (variable: string): variable is keyof typeof providerKeys =>
  Object.hasOwn(providerKeys, variable);

/** Returns a new value for a secret that an installation makes. */
export const freshSecret = (variable: string): string =>
  isProviderKey(variable) ? newPrivateKey(providerKeys[variable]) : randomToken();

const howToSet = `This is API_JWT_PRIVATE_KEY. Keep it in a file that only the service can read, and name that file in
API_JWT_PRIVATE_KEY_FILE. Where another key signs so far, its public half belongs into API_JWT_PREVIOUS_PUBLIC_KEYS.`;

/** Prints a private key. Its purpose goes to standard error: standard output holds the value alone. */
function printSigningKey(terminal: Terminal, alg: "EdDSA" | "ES256", asJson: boolean): void {
  const pem = newPrivateKey(alg);
  terminal.out(asJson ? jsonLine({ API_JWT_PRIVATE_KEY: pem }) : pem);
  terminal.err(howToSet);
}

const howToAppend = `These are lines of an environment file. Where an API_JWT_PRIVATE_KEY signs already, keep that one and take the other line
alone. A key that replaces another is published before it signs: see Keys in the manual.`;

/** Prints both keys of the provider, each on one line, which every reader of environment files takes. */
function printProviderKeys(terminal: Terminal, alg: "EdDSA" | "ES256", asJson: boolean): void {
  const keys = { API_JWT_PRIVATE_KEY: newPrivateKey(alg), IDP_RSA_PRIVATE_KEY: newPrivateKey("RS256") };
  if (asJson) terminal.out(jsonLine(keys));
  else
    for (const [name, pem] of Object.entries(keys)) terminal.out(`${name}="${pem.replaceAll("\n", String.raw`\n`)}"`);
  terminal.err(howToAppend);
}

/** Prints secrets of 256 bits, including a diagnostic token for each app, as lines to append to an environment file. */
export const generate = command({
  args: {
    signing: { type: "boolean", description: "Print a private key for access tokens instead, in PEM" },
    idp: {
      type: "boolean",
      description:
        "Print the private keys of access tokens and ID tokens instead, by which other programs sign people in",
    },
    json: jsonObject,
    alg: {
      type: "enum",
      options: ["EdDSA", "ES256"],
      description: "What access tokens are signed with (default: EdDSA; with --idp ES256, which every library takes)",
    },
  },
  async run({ terminal }, args) {
    const { signing = false, idp = false, alg = idp ? providerKeys.API_JWT_PRIVATE_KEY : "EdDSA" } = args;
    if (signing && idp) throw new UsageError("--idp prints the key of --signing as well: give one of them");
    if (args.alg !== undefined && !signing && !idp) throw new UsageError("--alg goes with --signing or --idp");
    const asJson = args.json === true;
    const secrets = generatedSecrets.map((name) => [name, randomToken()] as const);
    if (signing) printSigningKey(terminal, alg, asJson);
    else if (idp) printProviderKeys(terminal, alg, asJson);
    else if (asJson) terminal.out(jsonLine(Object.fromEntries(secrets)));
    else for (const [name, secret] of secrets) terminal.out(`${name}=${secret}`);
    return exitCode.done;
  },
});
