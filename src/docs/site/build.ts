import { copyFile, cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readParts, type Page, type Part } from "./contents.ts";
import { relink, sectionsOf, titled, type Places } from "./links.ts";
import { writeIndex, type Entry } from "./look/search.ts";
import { additions, madePages, otherDocuments } from "./pages.ts";
import { finishPages } from "./finish.ts";

const root = resolve(import.meta.dir, "../../..");
/** Where the service has the site. */
const base = "/docs/";

const frontMatter = (title: string, about: string): string =>
  ["---", `title: ${JSON.stringify(title)}`, `description: ${JSON.stringify(about)}`, "---", ""].join("\n");

/** The page's text as it goes into the site, which writes the title itself. */
const bodyOf = ({ path, text }: Page, places: Places): string =>
  titled(relink(path === undefined ? text : text.replace(/^# .*\n/, ""), path ?? "", places, base));

/** The first page: the index of the manual. */
function homePage(parts: readonly Part[]): Page {
  const lists = parts.map(({ title, pages }) => {
    const items = pages.map((page) => `- [${page.title}](${base}${page.slug}/): ${page.about}`);
    return [`## ${title}`, "", ...items].join("\n");
  });
  const licence = `The pages have parts of programs of others: [their licences](${base}licences.txt).`;
  const picture = `![The sign-in page and the account page of Gatehouse](${base}pages.png)`;
  const about = "Gatehouse is the sign-in service of a web application, in one program that you run yourself.";
  return { slug: "index", title: "Gatehouse", about, text: [about, picture, ...lists, licence].join("\n\n") };
}

function entriesOf(pages: readonly Page[]): readonly Entry[] {
  return pages.flatMap(({ slug, title, about, text }) =>
    sectionsOf(title, text).map((section, index) => ({
      id: section.anchor === undefined ? `${slug}/` : `${slug}/#${section.anchor}`,
      title: section.title,
      page: title,
      text: index === 0 ? `${about} ${section.text}` : section.text,
    })),
  );
}

/** Packages of which parts are in the site, with the files of their licences. */
const madeWith = {
  Starlight: "@astrojs/starlight/LICENSE",
  Astro: "astro/LICENSE",
  "Expressive Code": "expressive-code/LICENSE",
  MiniSearch: "minisearch/LICENSE.txt",
} as const;

async function licences(): Promise<string> {
  const texts = Object.entries(madeWith).map(async ([name, file]) => {
    const text = await Bun.file(join(root, "node_modules", file)).text();
    return `${name}\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${"=".repeat(80)}\n\n`);
}

const sidebarOf = (parts: readonly Part[]) =>
  parts.map(({ title, pages }) => ({
    label: title,
    collapsed: title !== parts[0]?.title,
    items: pages.map((page) => ({ label: page.title, link: `/${page.slug}/` })),
  }));

const longestMs = 300_000;

/** Runs the generator, which asks nobody outside. */
async function runAstro(folder: string): Promise<void> {
  const cmd = [process.execPath, "--bun", join(root, "node_modules", ".bin", "astro"), "build", "--root", folder];
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: "1" };
  const astro = Bun.spawn({
    cmd,
    cwd: folder,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: longestMs,
  });
  const [said, complaints] = await Promise.all([astro.stdout.text(), astro.stderr.text()]);
  if ((await astro.exited) !== 0) throw new Error(`the site could not be built:\n${said}${complaints}`);
}

/** Reads the manual, makes the reference, and adds the other documents of the repository. */
async function readManual() {
  const written = (await readParts(root)).map((part) => ({
    ...part,
    pages: part.pages.map((page) => ({ ...page, text: `${page.text}\n${additions[page.slug]?.() ?? ""}` })),
  }));
  const parts = [...written, ...(await madePages()), await otherDocuments(root)];
  return { written, parts, pages: parts.flatMap((part) => part.pages) };
}

/** The search finds what helps to use Gatehouse, and not what the project keeps for itself. */
const indexOf = (pages: readonly Page[]): string =>
  writeIndex(entriesOf(pages.filter(({ slug }) => !/^project\/(?!client)/.test(slug))));

/** Resolves to the index with which the site would be built now. */
export const readSearch = async (): Promise<string> => indexOf((await readManual()).pages);

/** Puts everything that the generator needs into a folder. */
async function prepare(work: string): Promise<void> {
  const { written, parts, pages } = await readManual();
  const home = { slug: "", title: "Gatehouse" };
  const places = new Map<string, { readonly slug: string; readonly title: string }>([
    ["README.md", home],
    ["MANUAL.md", home],
    [".env.example", { slug: "reference/variables", title: "Variables" }],
  ]);
  for (const page of pages) if (page.path !== undefined) places.set(page.path, page);
  const look = join(import.meta.dir, "look");
  const pictures = join(root, "src", "docs", "public");
  await mkdir(join(work, "src"));
  await mkdir(join(work, "public"));
  await copyFile(join(look, "astro.config.mjs"), join(work, "astro.config.mjs"));
  for (const name of ["content.config.mjs", "Search.astro", "style.css", "search.ts"])
    await copyFile(join(look, name), join(work, "src", name));
  for (const name of await readdir(pictures)) await copyFile(join(pictures, name), join(work, "public", name));
  await Bun.write(join(work, "settings.json"), JSON.stringify({ base, sidebar: sidebarOf(parts) }));
  await Bun.write(join(work, "public", "search.json"), indexOf(pages));
  await Bun.write(join(work, "public", "licences.txt"), await licences());
  for (const page of [homePage(written), ...pages]) {
    const file = join(work, "src", "content", "docs", `${page.slug}.md`);
    await Bun.write(file, frontMatter(page.title, page.about) + bodyOf(page, places));
  }
}

/** Builds the site of the manual into a folder, which is replaced as a whole. */
export async function buildSite(outdir: string): Promise<void> {
  await mkdir(join(root, "dist"), { recursive: true });
  // Below the repository, where the generator finds its packages.
  const work = await mkdtemp(join(root, "dist", ".site-"));
  try {
    await prepare(work);
    await runAstro(work);
    await finishPages(join(work, "made"));
    await rm(outdir, { recursive: true, force: true });
    await cp(join(work, "made"), outdir, { recursive: true });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { outdir: { type: "string", default: "dist/docs" } } });
  const outdir = resolve(root, values.outdir);
  await buildSite(outdir);
  console.log(`${outdir}  open ${base} of a local Gatehouse, or ${basename(outdir)}/index.html by any web server`);
}
