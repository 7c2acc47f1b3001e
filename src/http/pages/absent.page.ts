import { preferencesIn } from "../request/accept.ts";
import type { Brand } from "./brand/brand.ts";
import type { Words } from "../../words/index.ts";
import { standalonePage } from "./standalone.tsx";

const wantsPage = ({ method, headers }: Request): boolean =>
  (method === "GET" || method === "HEAD") &&
  preferencesIn(headers.get("accept") ?? "").some(({ value, quality }) => value === "text/html" && quality > 0);

/** Returns a function that answers the reader of an address that leads nowhere; undefined where no page is asked for. */
export function absentPage(brand: Brand["alone"], words: Words): (request: Request) => Response | undefined {
  const page = standalonePage(brand, words, (language) => {
    const { title, text, way } = words.say(language, "service").absent;
    return { title, text, way: way({ product: brand.mark.product }) };
  });
  return (request) => {
    if (!wantsPage(request)) return undefined;
    const headers = {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": page.policy(),
      "cache-control": "no-store",
      vary: "Accept, Accept-Language",
    };
    return new Response(page.html(request), { status: 404, headers });
  };
}
