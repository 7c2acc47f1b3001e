import { preferencesIn } from "../request/accept.ts";
import type { Brand } from "./brand/brand.ts";
import { standalonePage, type StandalonePage } from "./standalone.tsx";

const wantsPage = ({ method, headers }: Request): boolean =>
  (method === "GET" || method === "HEAD") &&
  preferencesIn(headers.get("accept") ?? "").some(({ value, quality }) => value === "text/html" && quality > 0);

const absent = (brand: Pick<Brand, "inlineMark" | "style">): StandalonePage =>
  standalonePage(
    brand,
    {
      title: "There is no such page",
      text: "Nothing is at this address. It may have been copied only in part, or the page is gone.",
      way: (product) => `Go to ${product}`,
    },
    {
      title: "Diese Seite gibt es nicht",
      text: "Unter dieser Adresse ist nichts. Vielleicht wurde sie nur zum Teil kopiert, oder es gibt die Seite nicht mehr.",
      way: (product) => `Zu ${product}`,
    },
  );

/**
 * Returns a function that answers the reader of an address that leads nowhere; undefined where no page is asked for. The page is written
 * when the first reader comes: a start should not pay for it.
 */
export function absentPage(brand: Pick<Brand, "inlineMark" | "style">): (request: Request) => Response | undefined {
  let page: StandalonePage | undefined;
  return (request) => {
    if (!wantsPage(request)) return undefined;
    page ??= absent(brand);
    const headers = {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": page.policy,
      "cache-control": "no-store",
      vary: "Accept, Accept-Language",
    };
    return new Response(page.html(request), { status: 404, headers });
  };
}
