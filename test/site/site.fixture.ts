import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSite } from "../../src/docs/site/build.ts";
import { manualPages } from "../../src/manual/index.ts";
import { serveSite } from "../unit/http/site.ts";

export const buildLimitMs = 180_000;

/** Builds the site of the manual as it is now, and serves it as a local Gatehouse does. */
export async function serveManual() {
  const root = await mkdtemp(join(tmpdir(), "gatehouse-site-"));
  const folder = join(root, "docs");
  await buildSite(folder);
  const { routes } = manualPages({ folder });
  const served = await serveSite({ routes });
  const pages = [...new Bun.Glob("**/*.html").scanSync({ cwd: folder })].toSorted();
  return {
    url: served.origin,
    folder,
    /** The pages, as files of the folder. */
    pages,
    async stop(): Promise<void> {
      await served.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
