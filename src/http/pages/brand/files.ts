import { Elysia } from "elysia";
import { hidden } from "../../docs/operation.ts";
import { cacheByHash } from "../style/assets.ts";

/** A file of the operator's that pages show. */
export interface BrandFile {
  /** The path below APP_URL, with a hash: the file at a path never changes. */
  readonly path: string;
  readonly type: "image/svg+xml" | "image/png" | "font/woff2";
  readonly body: Uint8Array<ArrayBuffer>;
}

export const inlined = ({ type, body }: Pick<BrandFile, "type" | "body">): string =>
  `data:${type};base64,${Buffer.from(body).toString("base64")}`;

/** A picture that is opened by itself runs nothing, loads nothing and has no origin. Its own style applies. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/** The kind of a file, by its path: `logo` or `font`. */
const kindOf = (path: string): string => path.slice("/brand/".length).split(".", 1)[0] ?? "";

/**
 * Serves each file at its path. At any earlier or later path of its kind the first file of that kind is answered, which browsers do not
 * keep there.
 */
export function fileRoutes(files: readonly BrandFile[]) {
  return new Elysia({ name: "brand" }).get(
    "/brand/:file",
    ({ params }) => {
      const asked = `/brand/${params.file}`;
      const file = files.find(({ path }) => path === asked) ?? files.find(({ path }) => kindOf(path) === kindOf(asked));
      if (file === undefined) return new Response(null, { status: 404 });
      return new Response(file.body, {
        headers: {
          "content-type": file.type,
          "content-security-policy": policy,
          "cache-control": cacheByHash(asked, file.path),
        },
      });
    },
    { ...hidden },
  );
}
