import { addAuthenticator, askBrowser, goTo, openTab, showOn, startFront } from "../../support/chromium.ts";
import { publicUrl } from "../../support/oauth/provider.ts";
import { startWorld } from "../../support/oauth/world.ts";
import { createVisitor } from "../../support/visitor.ts";
import { form, idpEnvironment, idpKit, type Registered } from "../idp/idp.fixture.ts";

/** The folder for pictures of the pages, which somebody may look at. Without it no pictures are taken. */
const pictures = process.env["GATEHOUSE_TEST_PICTURES"];

export const shopUrl = "https://shop.example.test";

/** What the app's own pages are: one that shows what it was told, and one that leads on to another host, as many apps do. */
async function answerOfApp(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === "/moved") return Response.redirect(`https://www.shop.example.test/cart?${searchParams.toString()}`);
  const told = request.method === "POST" ? new URLSearchParams(await request.text()) : searchParams;
  const text = told.has("code") ? "You are in the shop." : `The shop was told: ${told.get("error") ?? "nothing"}`;
  return new Response(`<!doctype html><html lang="en"><title>Shop</title><h1>${Bun.escapeHTML(text)}</h1></html>`, {
    headers: { "content-type": "text/html" },
  });
}

/** Starts Gatehouse with providers and apps that sign people in by it, and a browser for which all of them have their public addresses. */
export async function startApps(env: Readonly<Record<string, string>> = {}) {
  const app = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answerOfApp });
  const world = await startWorld(
    {
      ...idpEnvironment,
      APP_URL: publicUrl,
      APP_NAME: "Gatehouse",
      AUTH_EMAIL_LOGIN_ENABLED: "true",
      IDP_CLIENT_METADATA_DOCUMENTS: "any",
      ...env,
    },
    { shared: true },
  );
  const { host } = new URL(publicUrl);
  const front = await startFront(host, world.target.port);
  const shopFront = await startFront("shop.example.test", Number(app.port));
  const tab = openTab({ [host]: front, "shop.example.test": shopFront, "www.shop.example.test": shopFront });
  const visitor = await createVisitor(tab);
  const kit = idpKit(world.target);

  return {
    world,
    kit,
    tab,
    visitor,
    authenticator: await addAuthenticator(tab),
    /** Returns the address to which an app leads people for their sign-in. */
    way: (client: Registered, fields: Readonly<Record<string, string | undefined>> = {}): string =>
      `${publicUrl}/oauth2/authorize?${form(kit.requestOf(client, fields))}`,

    /** Makes the browser forget that anybody has used it. */
    async forget(): Promise<void> {
      await goTo(tab, "about:blank");
      await askBrowser(tab, "Network.clearBrowserCookies");
      await askBrowser(tab, "Storage.clearDataForOrigin", { origin: publicUrl, storageTypes: "local_storage" });
    },

    setLanguage: (language: string): Promise<unknown> =>
      askBrowser(tab, "Network.setExtraHTTPHeaders", { headers: { "accept-language": language } }),

    /** Looks at the page as a picture and with axe, on both sizes of screen. */
    async look(name: string): Promise<void> {
      if (pictures !== undefined)
        for (const [width, scheme] of [
          [1280, "light"],
          [390, "dark"],
        ] as const) {
          await showOn(tab, width, scheme);
          await Bun.write(`${pictures}/${name}-${width}.png`, await tab.screenshot());
        }
      await showOn(tab, 1280, "light");
      await visitor.expectNoBarriers(name);
      await showOn(tab, 1280, "light");
    },

    async stop(): Promise<void> {
      tab.close();
      Bun.WebView.closeAll();
      await shopFront.stop();
      await front.stop();
      await world.stop();
      await app.stop(true);
    },
  };
}

export type Apps = Awaited<ReturnType<typeof startApps>>;
