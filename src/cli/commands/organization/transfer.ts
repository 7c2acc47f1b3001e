import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { harmless, megabytes } from "../../terminal/columns.ts";
import { command, exitCode, UsageError, type ExitCode, type Terminal } from "../../command.ts";
import { interruptible } from "../../terminal/interruptible.ts";
import { jsonLine, jsonLines, jsonObject } from "../../terminal/json.ts";
import { createProgress } from "../../terminal/progress.ts";
import { fileAt, standardOutput } from "../../terminal/sink.ts";
import { withOrganizations, type Organizations } from "./with.organizations.ts";

export const exportOrganizations = command({
  args: {
    output: {
      type: "string",
      valueHint: "PATH",
      description: "The file to write, for its owner alone. Default: standard output",
    },
    force: { type: "boolean", description: "Replace a file that is there" },
    json: jsonObject,
  },
  files: { output: { way: "writes" } },
  async run(context, args) {
    const { terminal } = context;
    const path = args.output === undefined ? undefined : resolve(args.output);
    if (path !== undefined && args.force !== true && existsSync(path))
      throw new UsageError(`${path} is there already: --force replaces it`);
    return withOrganizations(context, async ({ transfer }) => {
      const sink = path === undefined ? standardOutput(terminal.out) : fileAt(path);
      const progress = createProgress(terminal, { doing: "exporting" });
      const slugs = { count: 0, last: "" };
      try {
        const total = await transfer.export.count();
        await interruptible(async (signal) => {
          for await (const line of transfer.export.lines()) {
            signal.throwIfAborted();
            sink.write(jsonLine(line));
            if (line.slug !== slugs.last) [slugs.count, slugs.last] = [slugs.count + 1, line.slug];
            if (path !== undefined) progress.show(slugs.count, total);
          }
        });
        sink.keep();
        progress.end();
        if (path === undefined) return "";
        if (args.json === true) return jsonLine({ path, organizations: slugs.count });
        return `wrote ${organizations(slugs.count)} to ${path}`;
      } finally {
        progress.end();
        sink.close();
      }
    });
  },
});

type Imported = ReturnType<Organizations["transfer"]["import"]>;
type Report = (Imported extends AsyncGenerator<infer Progress> ? Progress : never)["report"];

export const importOrganizations = command({
  args: {
    file: { type: "positional", required: true, description: "Organizations with their members, a line each (NDJSON)" },
    "skip-unknown": { type: "boolean", description: "Leave out members who have no account here" },
    "dry-run": { type: "boolean", description: "Say what would come of it, and change nothing" },
    json: jsonLines,
  },
  files: { file: { way: "reads" } },
  async run(context, args) {
    const { terminal } = context;
    const file = Bun.file(args.file);
    if (!(await file.exists())) throw new UsageError(`${args.file}: there is no such file`);
    const isTrial = args["dry-run"] === true;
    return withOrganizations(context, ({ transfer }) =>
      interruptible(async (signal) => {
        const settings = { skipsUnknown: args["skip-unknown"] === true, signal };
        const options = { terminal, size: file.size, json: args.json === true };
        // The whole file is looked at first: one that is at fault somewhere changes nothing.
        const trial = transfer.import(file.stream(), { ...settings, isTrial: true });
        const sound = await print(trial, { ...options, isTrial: true, tells: isTrial ? "everything" : "refusals" });
        if (isTrial || sound !== exitCode.done) return sound;
        const imported = transfer.import(file.stream(), { ...settings, isTrial: false });
        return print(imported, { ...options, isTrial: false, tells: "everything" });
      }),
    );
  },
});

const noParts = {
  added: 0,
  already: 0,
  left: 0,
  domains: 0,
  providers: 0,
  invitations: 0,
  secretless: 0,
};
const partNames = ["added", "already", "left", "domains", "providers", "invitations", "secretless"] as const;
type Counted = "created" | "present" | "refused" | (typeof partNames)[number];

interface PrintOptions {
  readonly terminal: Terminal;
  readonly size: number;
  readonly isTrial: boolean;
  readonly json: boolean;
  /** `refusals`: of a file without any nothing is printed. */
  readonly tells: "everything" | "refusals";
}

/** Prints what came of each line as soon as it is known, and the totals at the end, also if the import breaks off. */
async function print(imported: Imported, { terminal, size, isTrial, json, tells }: PrintOptions): Promise<ExitCode> {
  const counts: Record<Counted, number> = { created: 0, present: 0, refused: 0, ...noParts };
  const progress = createProgress(terminal, { doing: isTrial ? "reading" : "importing", inWords: megabytes });
  let last = "";
  try {
    for await (const { report, bytesRead } of imported) {
      // Further lines of an organization are not counted as organizations.
      if (report.outcome === "refused" || report.slug !== last) counts[report.outcome] += 1;
      last = report.slug ?? "";
      if (report.outcome !== "refused") for (const name of partNames) counts[name] += report[name];
      const isTold = report.outcome === "refused" || (json && tells === "everything");
      if (isTold) {
        progress.end();
        terminal.out(json ? jsonLine(report) : refusalOf(report));
      }
      progress.show(bytesRead, size);
    }
  } finally {
    progress.end();
    if (tells === "everything" || counts.refused > 0)
      terminal.out(json ? jsonLine(counts) : summary(counts, isTrial, tells));
  }
  return counts.refused === 0 ? exitCode.done : exitCode.failed;
}

const refusalOf = (report: Report): string =>
  report.outcome === "refused" ? harmless(`line ${report.line}: ${report.reason}`) : "";

const many = (count: number, one: string, several: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : several}`;
const organizations = (count: number): string => many(count, "organization", "organizations");
const members = (count: number): string => many(count, "member", "members");

const some = (count: number, one: string, several: string): readonly string[] =>
  count === 0 ? [] : [many(count, one, several)];

function summary(counts: Readonly<Record<Counted, number>>, isTrial: boolean, tells: PrintOptions["tells"]): string {
  if (tells === "refusals") return `${many(counts.refused, "line", "lines")} refused: nothing was imported`;
  return [
    `${organizations(counts.created)} ${isTrial ? "would be made" : "made"}`,
    ...(counts.present === 0 ? [] : [`${organizations(counts.present)} there already`]),
    `${members(counts.added)} ${isTrial ? "would be added" : "added"}`,
    ...(counts.already === 0 ? [] : [`${members(counts.already)} in there already`]),
    ...(counts.left === 0 ? [] : [`${members(counts.left)} without an account left out`]),
    ...some(counts.domains, "domain to be proven", "domains to be proven"),
    ...some(counts.providers, "provider", "providers"),
    ...some(counts.invitations, "invitation", "invitations"),
    ...some(counts.secretless, "provider without its secret left out", "providers without their secret left out"),
    ...some(counts.refused, "line refused", "lines refused"),
  ].join(", ");
}
