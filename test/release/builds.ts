import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inParallel } from "../support/auth.ts";

const root = join(import.meta.dir, "..", "..");
const sources = ["src", "migrations", "systemd", "build.ts", "bun.lock", "package.json", "tsconfig.json", "LICENSE"];

/** A change of one source file: every `from` becomes `to`. */
interface Change {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Two good builds, and three broken ones. */
const changes = {
  ada: [],
  grace: [],
  // Ends before it listens.
  crashing: [
    {
      file: "src/app/roles/roles.ts",
      from: "const { url, port } = await app.http.start();",
      to: 'if (roles.length > 0) throw new Error("this build does not start");\nconst { url, port } = await app.http.start();',
    },
  ],
  // Starts and listens, but never becomes ready.
  unready: [
    { file: "src/app/index.ts", from: "isDraining: () => running.http.isDraining(),", to: "isDraining: () => true," },
  ],
  // The first of two migrations applies; the second fails after its first statement.
  halfway: [
    {
      file: "migrations/index.ts",
      from: "];\n",
      to: `  { id: "9001_good", up: "-- additive\\ncreate table nines (one text);", down: "drop table nines;" },
  { id: "9002_bad", up: "-- additive\\ncreate table tens (one text);\\ncreate table tens (one text);", down: "drop table tens;" },
];\n`,
    },
  ],
} as const satisfies Readonly<Record<string, readonly Change[]>>;

export type BuildName = keyof typeof changes;
export const buildNames: readonly BuildName[] = ["ada", "grace", "crashing", "unready", "halfway"];

export interface Builds {
  /** Returns the folder of the binary and its checksum. That of "ada" has those of the admin app as well. */
  folder(name: BuildName): string;
  remove(): Promise<void>;
}

/** Compiles each build from a copy of the sources. The revision of a build is its name. */
export async function makeBuilds(): Promise<Builds> {
  const workspace = await mkdtemp(join(tmpdir(), "gatehouse-builds-"));
  const remove = (): Promise<void> => rm(workspace, { recursive: true, force: true });
  const folder = (name: BuildName): string => join(workspace, name, "dist");
  try {
    await inParallel(2, buildNames, (name) => make(join(workspace, name), name));
    return { folder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function make(copy: string, name: BuildName): Promise<void> {
  for (const source of sources) await cp(join(root, source), join(copy, source), { recursive: true });
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  const wanted: readonly Change[] = changes[name];
  for (const { file, from, to } of wanted) {
    const path = join(copy, file);
    const text = await Bun.file(path).text();
    if (!text.includes(from)) throw new Error(`${file} no longer has ${from}`);
    await Bun.write(path, text.replaceAll(from, to));
  }
  // The admin app is released once, from the first build.
  const which = name === "ada" ? [] : ["--app", "gatehouse"];
  const built = Bun.spawn([process.execPath, "build.ts", ...which, "--revision", name], {
    cwd: copy,
    stdout: "pipe",
    stderr: "pipe",
    timeout: 180_000,
  });
  const [output, complaints, code] = await Promise.all([built.stdout.text(), built.stderr.text(), built.exited]);
  if (code !== 0) throw new Error(`the build ${name} ended with ${code}: ${output}${complaints}`);
}
