import { expect, test } from "bun:test";
import { join } from "node:path";

const root = join(import.meta.dir, "..");

interface Import {
  readonly path: string;
  readonly kind: string;
}

/** The binary without its bytecode, as the bundler describes it: files of its own, and what of the sources each is made of. */
async function bundle() {
  const { metafile } = await Bun.build({
    entrypoints: [join(root, "src/main.ts")],
    root,
    target: "bun",
    splitting: true,
    metafile: true,
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
  });
  if (metafile === undefined) throw new Error("the bundler has described nothing");
  return metafile;
}
const { inputs, outputs } = await bundle();
const isStatic = ({ kind }: Import): boolean => kind !== "dynamic-import";

/** What a function of ours gets by `require` is in the same file as the function, and runs once that is called. */
const isRequired = (path: string): boolean => /^node_modules\/(?:@elysiajs\/cookie|cookie-signature)\//.test(path);

/** What is loaded with these sources: packages, and modules of the runtime. What `import()` loads is not. */
function loadedWith(...sources: readonly string[]) {
  const chunks = new Set<string>();
  const visit = (name: string): void => {
    const chunk = outputs[name];
    if (chunk === undefined || chunks.has(name)) return;
    chunks.add(name);
    for (const { path } of chunk.imports.filter(isStatic)) visit(path);
  };
  for (const source of sources) {
    const entry = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source);
    if (entry === undefined) throw new Error(`${source} is no file of its own in the binary`);
    visit(entry[0]);
  }
  const files = [...chunks]
    .flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}))
    .filter((path) => !isRequired(path));
  const builtins = files
    .flatMap((path) => inputs[path]?.imports ?? [])
    .filter((each) => isStatic(each) && /^(?:bun:)?[a-z_]+(?:\/promises)?$/.test(each.path))
    .map(({ path }) => path);
  const packages = files.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return { files, builtins: [...new Set(builtins)].toSorted(), packages: [...new Set(packages)].toSorted() };
}

/** What only a request, a job or a setting needs. No start may load it. */
const notAtOnce =
  "@elysiajs/cookie @node-rs/argon2 @oslojs/otp @simplewebauthn/server @zxcvbn-ts/language-common aws4fetch nodemailer tldts uqr";

test("help and wrong usage load the table of commands, and neither the settings nor the app", () => {
  const { files, builtins, packages } = loadedWith("src/main.ts");
  // Output is written by `fs`, and the command line read by `util`.
  expect({ builtins, packages }).toEqual({ builtins: ["fs", "util"], packages: ["citty"] });
  const others = files.filter((path) => !/^(?:src\/(?:main\.ts|cli\/|core\/)|node_modules\/)/.test(path));
  expect(others).toEqual([]);
});

test("a start loads no package before it is used, no sockets, ciphers or streams, and not the scripts of the pages", () => {
  const { files, builtins, packages } = loadedWith("src/main.ts", "src/cli/commands/run.ts", "src/app/roles/roles.ts");
  expect(files.length).toBeGreaterThan(500);
  expect(packages.filter((name) => notAtOnce.split(" ").includes(name))).toEqual([]);
  const light = ["async_hooks", "bun:ffi", "bun:sqlite", "fs", "fs/promises", "os", "path", "url", "util"];
  expect(builtins).toEqual(light);
  // The compressions of the runtime are for the first request for a page.
  expect(loadedWith("src/account/index.ts").builtins).not.toContain("zlib");
  // The pages of staff are the other app's, and the rest is for what a setting or a request asks for.
  expect(
    files.filter((path) =>
      /^src\/(?:account|backup|inspect|staff|words\/own)\/|^src\/app\/words\/(?!open\.)/.test(path),
    ),
  ).toEqual([]);
});
