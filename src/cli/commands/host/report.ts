import { exampleFolder, settingsPath, type HostApp, type Installed } from "../../../host/index.ts";
import { defaultWidth, harmless, wrapped } from "../../terminal/columns.ts";

interface Circumstances {
  readonly app: HostApp;
  readonly root: string;
  readonly dryRun: boolean;
}

export function installedLines(installed: Installed, { app, root, dryRun }: Circumstances): readonly string[] {
  const { written, kept, deeds, activates, obstacles, restarts_due } = installed;
  const isHost = root === "/";
  const changes = written.length > 0 || deeds.length > 0 || activates;
  const keptLines = kept.flatMap((file) => [
    ...folded(`kept, because it was edited here: ${file.path}`),
    ...file.difference.map((line) => `  ${harmless(line)}`),
    ...(file.offered === undefined ? [] : folded(`the text of this release is beside it: ${file.offered}`)),
  ]);
  const dueLines = restarts_due.flatMap((due) => [
    ...folded(`a restart of ${due.app} is due: its services run with the ${due.changed.join(" and ")} from before`),
    `  ${due.command}`,
  ]);
  if (dryRun)
    return [
      ...(changes ? [] : [`nothing to do: ${app} is installed as this release has it`]),
      ...deeds.map((deed) => `would ${deed}`),
      ...written.map((path) => `would write ${path}`),
      ...(activates ? ["would make this binary the current release and start its services"] : []),
      ...keptLines,
      ...dueLines,
      ...obstacleLines(obstacles),
      "nothing was written, and nothing started",
    ];
  if (!isHost)
    return [
      `${countWritten(written)} below ${root}`,
      ...keptLines,
      ...folded(
        `on the host itself, ${app} host:install goes on from there: it makes the user, the database and the release, and starts the services`,
      ),
    ];
  if (!changes) return [`nothing to do: ${app} is installed and ready`, ...keptLines, ...dueLines];
  return [
    ...(written.length === 0 ? [] : [countWritten(written)]),
    ...keptLines,
    `${app} is installed and ready, for ${installed.url}`,
    ...dueLines,
    ...(activates ? nextSteps(installed, app) : []),
  ];
}

/** What a real host has and this machine lacks. */
const obstacleLines = (obstacles: Installed["obstacles"]): readonly string[] =>
  obstacles.length === 0
    ? []
    : [
        "",
        `what keeps this machine from it, so that it would be refused without --dry-run:`,
        // What mends it is not folded, since it may be a line of a shell.
        ...obstacles.flatMap(({ problem, mend }) => [`  ${problem}`, `    → ${mend}`].map(harmless)),
        "",
      ];

const countWritten = (files: readonly string[]): string =>
  files.length === 1 ? "one file is written" : `${files.length} files are written`;

function nextSteps({ url, topology }: Installed, app: HostApp): readonly string[] {
  const name = URL.parse(url)?.hostname ?? "this host";
  const proxy = app === "gatehouse-admin" ? "nginx.admin.conf" : topology === "ports" ? "haproxy.cfg" : "nginx.conf";
  const first =
    app === "gatehouse"
      ? ["the first account:", `  ${app} auth:create-user --email you@example.com --verified`]
      : ["somebody who may sign in there:", "  gatehouse user:roles you@example.com --add admin"];
  return [
    "",
    "What comes next:",
    ...first,
    ...folded(`a proxy that ends TLS for ${name}, with the example that has this name:`),
    `  ${exampleFolder}/${proxy}`,
    ...(app === "gatehouse"
      ? [`where mail goes (so far to a relay on this host), MAIL_ in`, `  ${settingsPath}, then ${app} release:restart`]
      : []),
    "whether all is well, then and later:",
    `  ${app} host:check`,
  ];
}

const folded = (text: string): readonly string[] => wrapped(text, defaultWidth);
