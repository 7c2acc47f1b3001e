import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { hereOf } from "../here.ts";
import { signpostsOf } from "../signposts.ts";
import type { AppDefinition } from "../definition.ts";
import type { Config } from "../../config/index.ts";
import { baseUrl } from "../../core/address/url.parts.ts";

/** Returns the public address. One by default has the port of the settings, which is 0 where any free port is taken. */
function publicUrl({ app }: Pick<Config, "app">, port: number): string {
  const url = new URL(app.url);
  if (url.port === "0") url.port = String(port);
  return baseUrl(url);
}

/**
 * Returns the command that starts the staff's program, where that lies beside this one: the binary beside the binary, or the source beside
 * the source.
 */
function staffCommand(program: string): string | undefined {
  const isSource = program.endsWith(".ts");
  const path = join(dirname(program), isSource ? "admin.ts" : `${basename(program)}-admin`);
  if (!existsSync(path)) return undefined;
  const near = relative(process.cwd(), path);
  const shown = near.startsWith("..") ? path : isSource ? near : `./${near}`;
  return isSource ? `APP_ENV=local bun ${shown}` : shown;
}

/** Says where the pages for staff are and what starts them. Undefined where their program is not at hand. */
function staffPlace({ config, definition, program }: DirectionOptions, ownPort: number): Place | undefined {
  const { staffPort } = definition;
  const command = staffCommand(program);
  if (staffPort === undefined || command === undefined) return undefined;
  const { url, otherUrl, otherPort = staffPort } = config.app;
  // Both programs read the same settings: a port that names neither would be taken already.
  const isShared = otherPort === ownPort;
  const port = isShared ? staffPort : otherPort;
  const hasOwnUrl = otherUrl !== undefined && otherUrl.origin !== url.origin;
  return {
    label: "Staff pages",
    address: `${hasOwnUrl ? baseUrl(otherUrl) : `http://localhost:${port}`}/login`,
    hint: ` (once this has started them: ${isShared ? `ADMIN_API_HTTP_PORT=${port} ` : ""}${command})`,
  };
}

interface Place {
  readonly label: string;
  readonly address: string;
  readonly hint: string;
}

interface DirectionOptions {
  readonly config: Config;
  readonly definition: AppDefinition;
  /** The paths that this app serves. */
  readonly paths: ReadonlySet<string>;
  readonly port: number;
  /** The file that was started: the binary, or its source. */
  readonly program: string;
}

/**
 * Lists the pages that a developer opens first. The sign-in page is at the public address, where passkeys work and people come back to the app. The others
 * are at the address of this process: the server of an app passes on to here what people need, and not what its developers look at.
 */
export function directions(options: DirectionOptions): string {
  const { config, paths, port } = options;
  const here = hereOf(config.http.host, port);
  const home = publicUrl(config, port);
  const places = signpostsOf(config)
    .filter(({ path }) => paths.has(path))
    .map(({ path, label, key, isPublic }) => ({
      label,
      address: `${isPublic === true ? home : here}${path}`,
      hint: key === undefined ? "" : ` (its secret: ${key})`,
    }));
  const all: readonly Place[] = [...places, staffPlace(options, port) ?? []].flat();
  const width = Math.max(0, ...all.map(({ label }) => label.length));
  const lines = all.map(({ label, address, hint }) => `  ${label.padEnd(width)}  ${address}${hint}`);
  return ["open in a browser:", ...lines].join("\n");
}
