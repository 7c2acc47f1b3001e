import { Type, type Static } from "@sinclair/typebox";
import { Value, ValueErrorType } from "@sinclair/typebox/value";
import { byOperator } from "../../../core/audit.ts";
import { command, UsageError, exitCode } from "../../command.ts";
import { harmless } from "../../terminal/columns.ts";
import { jsonLine, jsonLines } from "../../terminal/json.ts";
import { withClients, type Client, type Clients } from "./with.clients.ts";

const text = Type.String({ maxLength: 2_048 });
const uris = Type.Array(text, { maxItems: 100 });
const nullable = Type.Union([text, Type.Null()]);
const oneOf = <const Name extends string>(...names: readonly Name[]) =>
  Type.Union(names.map((name) => Type.Literal(name)));

/** What client:show prints beside that, and a file can't change: it is passed over. */
const history = {
  client_id: Type.Optional(text),
  origin: Type.Optional(Type.Literal("operator")),
  created_at: Type.Optional(text),
  last_used_at: Type.Optional(nullable),
};

/** A program as a file has it, with the names of RFC 7591. What is left out has the default of its type. */
const Entry = Type.Object(
  {
    ...history,
    name: text,
    type: oneOf("web", "browser", "native", "machine"),
    redirect_uris: Type.Optional(uris),
    post_logout_redirect_uris: Type.Optional(uris),
    backchannel_logout_uri: Type.Optional(nullable),
    scope: Type.Optional(text),
    role: Type.Optional(nullable),
    third_party: Type.Optional(Type.Boolean()),
    token_endpoint_auth_method: Type.Optional(
      oneOf("client_secret_basic", "client_secret_post", "private_key_jwt", "none"),
    ),
    jwks_uri: Type.Optional(nullable),
    id_token_signed_response_alg: Type.Optional(oneOf("RS256", "ES256", "EdDSA")),
    dpop_bound_access_tokens: Type.Optional(Type.Boolean()),
    fapi: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
type Entry = Omit<Static<typeof Entry>, keyof typeof history>;
const File = Type.Object({ clients: Type.Array(Entry, { maxItems: 1_000 }) }, { additionalProperties: false });

/** Says where the first fault of a file is, and what it is. */
function faultIn(parsed: unknown): string {
  const fault = Value.Errors(File, parsed).First();
  if (fault === undefined) return "it can't be read";
  const { path, type } = fault;
  const at = path === "" ? "the whole" : path.slice(1).replaceAll("/", ".");
  if (type === ValueErrorType.ObjectRequiredProperty) return `${at} is missing`;
  if (type === ValueErrorType.ObjectAdditionalProperties) return `there is no ${at}: it has what client:show prints`;
  return `${at} is not what it should be (${fault.message.toLowerCase()})`;
}

async function read(path: string): Promise<readonly Entry[]> {
  const content = await (path === "-" ? Bun.stdin : Bun.file(path)).text().catch(() => undefined);
  if (content === undefined) throw new UsageError(`${path} can't be read`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    throw new UsageError(`${path} is not JSON`);
  }
  if (!Value.Check(File, parsed)) {
    throw new UsageError(`${path} is no list of programs: ${faultIn(parsed)}`);
  }
  const names = parsed.clients.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new UsageError(`${JSON.stringify(twice)} is in the file twice`);
  return parsed.clients.map(
    ({ client_id: _id, origin: _origin, created_at: _made, last_used_at: _used, ...entry }) => entry,
  );
}

interface Step {
  readonly action: "create" | "update" | "remove" | "keep";
  readonly name: string;
  /** The settings that change, by their names. */
  readonly changed: readonly string[];
  run(): Promise<{ readonly id?: string; readonly secret?: string | undefined }>;
}

function stepOf(clients: Clients, known: Client | undefined, { name, ...asked }: Entry): Step {
  const settings = clients.completed(asked);
  if (known === undefined)
    return {
      action: "create",
      name,
      changed: [],
      async run() {
        const { client, secret } = await clients.create(name, settings, byOperator);
        return { id: client.id, secret };
      },
    };
  const changed = clients.differences(known.settings, settings);
  return {
    action: changed.length === 0 ? "keep" : "update",
    name,
    changed,
    run: async () => ({ id: known.id, secret: (await clients.update(known, settings, byOperator)).secret }),
  };
}

export const apply = command({
  args: {
    file: { type: "positional", required: true, description: 'A file with {"clients":[…]}, or - for standard input' },
    prune: { type: "boolean", description: "Remove the programs that the file does not have" },
    "dry-run": { type: "boolean", description: "Say what would come of it, and change nothing" },
    json: jsonLines,
  },
  files: { file: { way: "reads" } },
  async run(context, args) {
    const entries = await read(args.file);
    return withClients(context, async (clients) => {
      const known = (await clients.list()).filter(({ origin }) => origin === "operator");
      const of = (name: string): Client | undefined => known.find((client) => client.name === name);
      const steps = entries.map((entry) => stepOf(clients, of(entry.name), entry));
      const left = args.prune === true ? known.filter(({ name }) => !entries.some((entry) => entry.name === name)) : [];
      const removals = left.map((client): Step => ({
        action: "remove",
        name: client.name,
        changed: [],
        run: async () => {
          await clients.remove(client, byOperator);
          return {};
        },
      }));
      // A file with a fault changes nothing at all.
      for (const entry of entries) {
        clients.requireName(entry.name);
        await clients.requireSound(entry.name, clients.completed(entry));
      }
      for (const entry of entries)
        for (const doubt of clients.doubts(clients.completed(entry))) context.terminal.err(harmless(doubt));
      const isTrial = args["dry-run"] === true;
      for (const { action, name, changed, run } of [...steps, ...removals]) {
        const { id, secret } = isTrial || action === "keep" ? {} : await run();
        const made = {
          ...(id !== undefined && { client_id: id }),
          ...(secret !== undefined && { client_secret: secret }),
        };
        if (args.json === true) {
          context.terminal.out(jsonLine({ action, name, changed, ...made }));
          continue;
        }
        context.terminal.out(harmless(`${action} ${name}${changed.length === 0 ? "" : `: ${changed.join(", ")}`}`));
        for (const [field, value] of Object.entries(made))
          if (action === "create" || field === "client_secret") context.terminal.out(`  ${field}=${value}`);
      }
      return exitCode.done;
    });
  },
});
