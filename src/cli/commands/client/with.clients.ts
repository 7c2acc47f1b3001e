import type { App } from "../../../app/index.ts";
import { timestamp } from "../../../core/clock.ts";
import { withApp } from "../../app/with.app.ts";
import type { CommandContext, ExitCode } from "../../command.ts";
import { harmless } from "../../terminal/columns.ts";

export type Clients = NonNullable<App["clients"]>;
export type Client = Awaited<ReturnType<Clients["list"]>>[number];

/** Runs a command on the programs that sign people in here. */
export const withClients = (
  context: CommandContext,
  act: (clients: Clients) => Promise<string | ExitCode>,
): Promise<ExitCode> =>
  withApp(context, ({ clients }) => {
    if (clients === undefined) throw new Error("no program signs people in here: IDP_ENABLED is false");
    return act(clients);
  });

/** Returns a program with the names of RFC 7591. The secret is there once, when it is made. */
export const presentClient = (
  { id, name, origin, settings, createdAt, lastUsedAt }: Omit<Client, "secretHash">,
  secret?: string,
) => ({
  client_id: id,
  ...(secret !== undefined && { client_secret: secret }),
  name,
  origin,
  ...settings,
  created_at: timestamp(createdAt),
  last_used_at: timestamp(lastUsedAt),
});

type Shown = string | boolean | null | readonly string[];
const nameWidth = 32;

const lineOf = ([field, value]: readonly [string, Shown]): string => {
  const values = value === null || (typeof value !== "boolean" && value.length === 0) ? ["–"] : [value].flat();
  return field.padEnd(nameWidth) + values.map((each) => harmless(String(each))).join(`\n${" ".repeat(nameWidth)}`);
};

export const shownClient = (client: Client): string => Object.entries(presentClient(client)).map(lineOf).join("\n");
