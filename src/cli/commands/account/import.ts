import type { App } from "../../../app/index.ts";
import { foreignSystems, systemsWithFields, type ForeignSystem } from "../../../core/people/foreign.systems.ts";
import { harmless, megabytes } from "../../terminal/columns.ts";
import { command, exitCode, UsageError, type ExitCode, type Terminal } from "../../command.ts";
import { interruptible } from "../../terminal/interruptible.ts";
import { jsonLine, jsonLines } from "../../terminal/json.ts";
import { createProgress } from "../../terminal/progress.ts";
import { withApp } from "../../app/with.app.ts";

type Imported = ReturnType<App["transfer"]["import"]>;
type Report = (Imported extends AsyncGenerator<infer Progress> ? Progress : never)["reports"][number];

export const importUsers = command({
  args: {
    file: { type: "positional", required: true, description: "One account a line (NDJSON), or - for standard input" },
    from: {
      type: "string",
      valueHint: "SYSTEM",
      description: `Read what another system exports: ${foreignSystems.join(", ")}`,
    },
    "hash-config": {
      type: "string",
      valueHint: "PATH",
      description: "With --from firebase: a file with the hash_config that its console shows",
    },
    "user-fields": {
      type: "string",
      valueHint: "NAMES",
      description: `With --from ${systemsWithFields.join(" or ")}: the app's own fields that people write themselves`,
    },
    "private-fields": {
      type: "string",
      valueHint: "NAMES",
      description: `With --from ${systemsWithFields.join(" or ")}: the app's own fields that people must not see`,
    },
    "keep-ids": {
      type: "boolean",
      description: "With --from: keep ids that are no UUIDs as external_id",
    },
    verified: { type: "boolean", description: "Count every address as proven, whatever the file says" },
    "dry-run": {
      type: "boolean",
      description: "Say what would come of it and change nothing; a name that two lines share is not found",
    },
    json: jsonLines,
  },
  values: { from: { among: foreignSystems } },
  files: { file: { way: "reads" }, "hash-config": { way: "reads" } },
  async run(context, args) {
    const { terminal } = context;
    const from = foreignSystems.find((system) => system === args.from);
    const configPath = args["hash-config"];
    if (configPath !== undefined && from !== "firebase")
      throw new UsageError("--hash-config goes with --from firebase");
    const fields = readFields(from, args["user-fields"], args["private-fields"]);
    const keepsIds = args["keep-ids"] === true;
    if (keepsIds && from === undefined) throw new UsageError("--keep-ids goes with --from");
    const { stream, size } = await open(args.file);
    const hashConfig = configPath === undefined ? undefined : await readText(configPath);
    const isTrial = args["dry-run"] === true;
    return withApp(context, ({ transfer }) =>
      interruptible(async (signal) => {
        const met = new Set<string>();
        const settings = {
          from,
          hashConfig,
          ...fields,
          met,
          keepsIds,
          verified: args.verified === true,
          isTrial,
          signal,
        };
        const code = await print(transfer.import(stream, settings), {
          terminal,
          size,
          isTrial,
          json: args.json === true,
        });
        const strange = [...fields.userFields, ...fields.privateFields].filter((name) => !met.has(name));
        if (strange.length > 0)
          terminal.err(harmless(`no account has a field of your own called ${strange.join(", ")}`));
        return code;
      }),
    );
  },
});

/** Reads the names of fields, with commas between them. One that is in both lists is a slip, and what was meant is not guessed. */
function readFields(from: ForeignSystem | undefined, user: string | undefined, hidden: string | undefined) {
  if ((user ?? hidden) !== undefined && (from === undefined || !systemsWithFields.includes(from)))
    throw new UsageError(`--user-fields and --private-fields go with --from ${systemsWithFields.join(" or ")}`);
  const namesOf = (text = ""): readonly string[] => text.split(",").flatMap((name) => name.trim() || []);
  const fields = { userFields: namesOf(user), privateFields: namesOf(hidden) };
  const both = fields.userFields.find((name) => fields.privateFields.includes(name));
  if (both !== undefined) throw new UsageError(`${both} is named by --user-fields and by --private-fields`);
  return fields;
}

/** Opens a file, or standard input, whose size is undefined. */
async function open(path: string) {
  if (path === "-") return { stream: Bun.stdin.stream(), size: undefined };
  const file = await existing(path);
  return { stream: file.stream(), size: file.size };
}

async function existing(path: string) {
  const file = Bun.file(path);
  if (!(await file.exists())) throw new UsageError(`${path}: there is no such file`);
  return file;
}

/** A size beyond that of any configuration. */
const longestConfig = 64 * 1024;

async function readText(path: string): Promise<string> {
  const file = await existing(path);
  if (file.size > longestConfig) throw new UsageError(`${path} is larger than ${longestConfig} bytes`);
  return file.text();
}

interface PrintOptions {
  readonly terminal: Terminal;
  readonly size: number | undefined;
  readonly isTrial: boolean;
  readonly json: boolean;
}

/** Prints the fate of each line as soon as it is known, and the totals at the end, also if the import breaks off. */
async function print(imported: Imported, { terminal, size, isTrial, json }: PrintOptions): Promise<ExitCode> {
  const counts = { imported: 0, present: 0, refused: 0, admins: 0 };
  const progress = createProgress(terminal, { doing: isTrial ? "reading" : "importing", inWords: megabytes });
  try {
    for await (const { reports, bytesRead } of imported) {
      for (const report of reports) {
        counts[report.outcome] += 1;
        if (report.outcome === "imported" && report.isAdmin) counts.admins += 1;
      }
      const text = json ? reports.map(asJson).join("\n") : reports.flatMap(refusalOf).join("\n");
      if (text !== "") {
        progress.end();
        terminal.out(text);
      }
      if (size !== undefined) progress.show(bytesRead, size);
    }
  } finally {
    progress.end();
    const { admins, ...outcomes } = counts;
    terminal.out(json ? jsonLine({ ...outcomes, ...(admins > 0 && { admins }) }) : summary(counts, isTrial));
  }
  return counts.refused === 0 ? exitCode.done : exitCode.failed;
}

const asJson = (report: Report): string => {
  const { line, sourceId, outcome } = report;
  const what =
    report.outcome === "refused"
      ? { reason: report.reason }
      : { id: report.id, ...(report.outcome === "imported" && report.isAdmin && { admin: true }) };
  return jsonLine({ line, ...(sourceId !== undefined && { source_id: sourceId }), outcome, ...what });
};

const refusalOf = (report: Report): readonly string[] =>
  report.outcome === "refused" ? [harmless(`line ${report.line}: ${report.reason}`)] : [];

const accounts = (count: number): string => `${count.toLocaleString("en")} ${count === 1 ? "account" : "accounts"}`;

function summary(counts: Readonly<Record<Report["outcome"] | "admins", number>>, isTrial: boolean): string {
  const { imported, present, refused, admins } = counts;
  return [
    `${accounts(imported)} ${isTrial ? "would be imported" : "imported"}`,
    ...(admins === 0 ? [] : [`${admins.toLocaleString("en")} of them with the role admin`]),
    ...(present === 0 ? [] : [`${accounts(present)} left as they are: their addresses have one already`]),
    ...(refused === 0 ? [] : [`${refused.toLocaleString("en")} refused`]),
  ].join(", ");
}
