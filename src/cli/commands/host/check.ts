import { judgeFile } from "../../../config/index.ts";
import { checkInstalled, type Finding, type HostReport } from "../../../host/index.ts";
import { defaultWidth, harmless, wrapped } from "../../terminal/columns.ts";
import { command, exitCode } from "../../command.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";
import { hostApp, hostSystem, neededSecrets, onHost } from "./app.ts";

/** Checks everything that this host needs. The command fails if anything is wrong, so that a monitor can run it. */
export const check = command({
  args: { json: jsonObject },
  run: (context, args) =>
    onHost(context, async () => {
      const { terminal, binary } = context;
      const app = hostApp(context);
      const report = await checkInstalled({
        system: hostSystem(context),
        app,
        secrets: neededSecrets(app),
        judgeLines: (text) => judgeFile(text).findings,
      });
      const ok = report.findings.every(({ level }) => level !== "wrong");
      if (args.json === true) terminal.out(jsonLine({ ok, app, ...report }));
      else for (const line of lines(report, binary)) terminal.out(line);
      return ok ? exitCode.done : exitCode.failed;
    }),
});

function lines({ release, checked, outside, findings }: HostReport, binary: string): readonly string[] {
  const count = (level: Finding["level"]): number => findings.filter((finding) => finding.level === level).length;
  const [wrong, notes] = [count("wrong"), count("note")];
  const state = wrong === 0 ? "all is well" : wrong === 1 ? "one thing is wrong" : `${wrong} things are wrong`;
  const noted = notes === 0 ? "" : `, ${notes === 1 ? "one note" : `${notes} notes`}`;
  return [
    ...findings.toSorted((a, b) => Number(a.level === "note") - Number(b.level === "note")).flatMap(findingLines),
    `${binary} ${release ?? "without a release"}: ${state}${noted} (${checked.length} checks)`,
    ...indented("", `looked at ${checked.join(", ")}; from outside at ${outside.join(" and ") || "nothing"}`),
  ];
}

const head = 7;

const findingLines = ({ level, problem, mend }: Finding): readonly string[] => [
  ...indented(level, harmless(problem)),
  ...indented("", `→ ${mend}`),
];

const indented = (first: string, text: string): readonly string[] =>
  wrapped(text, defaultWidth - head).map((line, index) => (index === 0 ? first : "").padEnd(head) + line);
