import { Elysia } from "elysia";
import { hidden } from "../http/index.ts";
import { showPage, type PageHead } from "../http/pages/answer.ts";
import { pagePolicy } from "../http/pages/policy.ts";
import { assetRoutes } from "../http/pages/style/assets.ts";
import { missingPage, missingPolicy, styleAsset } from "./pages.tsx";
import { createSite, type Site } from "./site.ts";

export { siteFolder } from "./site.ts";

const root = "/docs";

/** Scripts come from files of this host, but for those that the build of the site has written down. */
const policyOf = ({ scripts }: Site): string =>
  pagePolicy({
    script: ["'self'", ...scripts.map((hash) => `'${hash}'`)].join(" "),
    // The colours of code stand on its words.
    style: "'self' 'unsafe-inline'",
    image: "'self' data:",
    connect: "'self'",
  });

const served = (site: Site, path: string): Response => {
  const found = site.find(path);
  const file = found ?? site.find("404.html");
  if (file === undefined) return new Response(null, { status: 404 });
  return new Response(Bun.file(file.path), {
    status: found === undefined ? 404 : 200,
    headers: {
      ...(file.isPage && { "content-security-policy": policyOf(site), "referrer-policy": "same-origin" }),
      "cache-control": file.isNamedByContent ? "public, max-age=31536000, immutable" : "no-cache",
    },
  });
};

/** Shows a developer the manual as a site that can be searched. It is no part of the binary, but built beside it. */
export function manualPages({ folder }: { readonly folder: string }): { readonly routes: ReturnType<typeof routesOf> } {
  return { routes: routesOf(createSite(folder)) };
}

function routesOf(siteNow: () => Promise<Site | undefined>) {
  const answer = async (set: PageHead, path: string): Promise<Response | string> => {
    const site = await siteNow();
    return site === undefined ? showPage(set, missingPage(), missingPolicy, 404) : served(site, path);
  };
  return new Elysia({ name: "manual" })
    .use(assetRoutes("manual-assets", [styleAsset]))
    .get(root, ({ set }) => answer(set, ""), hidden)
    .get(`${root}/*`, ({ params, set }) => answer(set, params["*"]), hidden);
}
