import { Type } from "@sinclair/typebox";
import { call, explain, ownAddress } from "../live/call.ts";
import { command, exitCode, type Command, type CommandContext } from "../command.ts";
import { ConfigurationError } from "../app/configuration.error.ts";
import { readProbeTarget } from "../app/environment.ts";
import { operatorOf } from "../app/operator.ts";
import { inWords } from "../../core/text/in.words.ts";
import { jsonAs } from "../../core/text/json.ts";
import { jsonLine, jsonObject } from "../terminal/json.ts";

/** Longer than the app itself waits for a busy database that keeps the state. */
const timeoutMs = 10_000;

const State = Type.Object({
  ok: Type.Literal(true),
  maintenance: Type.Boolean(),
  driver: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
});
type State = typeof State.static;
const Refusal = Type.Object({ error: Type.String() });

type Outcome = { readonly state: State } | { readonly error: string };

function complaint(url: URL, status: number, text: string): string {
  switch (status) {
    case 401:
      return `${url.origin} refused the diagnostic token: APP_DIAG_TOKEN must be the one that the app was started with`;
    case 404:
      return `${url.origin} has no maintenance control for this call: is it this app, on the port that it listens on?`;
    case 409:
      return "APP_MAINTENANCE_ENABLED keeps maintenance on: start the app anew without it";
    default: {
      const said = jsonAs(Refusal, text)?.error ?? "an answer that is not the app's";
      return `${url.origin} answered ${status}: ${said}`;
    }
  }
}

async function ask(method: "GET" | "POST", action: string, context: CommandContext): Promise<Outcome> {
  const { host, port, diagToken: token } = readProbeTarget(context.definition, context.terminal);
  const wrong = token === "" ? ["APP_DIAG_TOKEN is required: the app takes no other credential"] : [];
  if (port === "0") wrong.push("API_HTTP_PORT must name the port on which the app listens");
  if (wrong.length > 0) throw new ConfigurationError(wrong);
  const url = new URL(`/-/maintenance${action}`, ownAddress({ host, port }));
  try {
    const operator = operatorOf(context.terminal.env);
    const { ok, status, text } = await call({ url, method, token, timeoutMs, operator });
    const state = ok ? jsonAs(State, text) : undefined;
    return state === undefined ? { error: complaint(url, status, text) } : { state };
  } catch (error) {
    const why = explain(error, timeoutMs);
    return { error: `no app answers at ${url.origin} (${why}): is it running, and is API_HTTP_PORT its port?` };
  }
}

const reasons: Readonly<Record<"environment" | "command" | "unreadable", string>> = {
  environment: "APP_MAINTENANCE_ENABLED is true",
  command: "maintenance:enable was called",
  unreadable: "its state can't be read; see the app's log",
};

function describe({ maintenance, reason, driver }: State): string {
  const why = reason === undefined ? "" : `: ${inWords(reasons, reason)}`;
  const reach = driver === "memory" ? " (this process only, until it ends)" : "";
  return `maintenance is ${maintenance ? "on" : "off"}${why}${reach}`;
}

/** A command that calls the running app. From the configuration it needs only where the app listens, and its diagnostic token. */
const calls = (method: "GET" | "POST", action: string): Command =>
  command({
    args: { json: jsonObject },
    async run(context, args) {
      const { terminal } = context;
      const outcome = await ask(method, action, context);
      if ("state" in outcome) terminal.out(args.json === true ? jsonLine(outcome.state) : describe(outcome.state));
      else if (args.json === true) terminal.out(jsonLine({ ok: false, error: outcome.error }));
      else terminal.err(outcome.error);
      return "state" in outcome ? exitCode.done : exitCode.failed;
    },
  });

export const enable = calls("POST", "/enable");
export const disable = calls("POST", "/disable");
export const status = calls("GET", "");
