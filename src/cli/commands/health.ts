import { basePath } from "../../core/address/url.parts.ts";
import { command, exitCode, UsageError } from "../command.ts";
import { readProbeTarget } from "../app/environment.ts";
import { ownAddress } from "../live/call.ts";
import { ask, type ProbeReport } from "../live/health.probe.ts";
import { jsonLine, jsonObject } from "../terminal/json.ts";

const defaultTimeoutMs = 2_000;
const longestTimeoutMs = 600_000;

/** Asks a running app about its health. From the configuration it needs only where the app listens, and its diagnostic token. */
export const health = command({
  args: {
    url: {
      type: "positional",
      required: false,
      description: "Base URL of the app, with its path behind a proxy (default: loopback at its port)",
    },
    probe: { type: "enum", options: ["health", "ready"], default: "ready", description: "What to ask for" },
    "timeout-ms": {
      type: "string",
      default: String(defaultTimeoutMs),
      valueHint: "N",
      description: "How long to wait",
    },
    fail: { type: "boolean", description: "Exit with 1 when the answer is not a success" },
    json: jsonObject,
  },
  async run({ definition, terminal }, args) {
    const timeoutMs = readTimeout(args["timeout-ms"]);
    const explicit = args.url === undefined ? undefined : readBase(args.url);
    const { diagToken, ...own } = readProbeTarget(definition, terminal);
    const url = probeUrl(explicit ?? ownAddress(own), args.probe);
    const token = args.probe === "ready" ? diagToken : "";
    const report = await ask({ url, token, timeoutMs });
    terminal.out(args.json === true ? jsonLine({ probe: args.probe, ...report }) : describe(args.probe, report));
    return args.fail === true && !report.ok ? exitCode.failed : exitCode.done;
  },
});

/** Returns the URL of a probe below the base's path, under which a proxy may serve the app. */
function probeUrl(base: URL, probe: string): URL {
  const url = new URL(base);
  url.pathname = `${basePath(base)}/-/${probe}`;
  url.search = "";
  url.hash = "";
  return url;
}

function readTimeout(text: string): number {
  const timeoutMs = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (timeoutMs < 1 || timeoutMs > longestTimeoutMs) {
    throw new UsageError(`--timeout-ms takes whole milliseconds from 1 to ${longestTimeoutMs}`);
  }
  return timeoutMs;
}

function readBase(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new UsageError("URL is an http or https address, such as http://127.0.0.1:3000");
  }
  if (url.username !== "" || url.password !== "") throw new UsageError("URL must not carry a user name or a password");
  return url;
}

function describe(probe: string, report: ProbeReport): string {
  const head = `${probe} ${report.url}: ${report.error ?? `${report.status} ${report.text}`} (${report.durationMs} ms)`;
  const checks = report.checks.map(
    ({ type, name, driver, status, error }) =>
      `  ${status.padEnd(6)}  ${type} ${name} (${driver})${error === undefined ? "" : `: ${error}`}`,
  );
  return [head, ...checks].join("\n");
}
