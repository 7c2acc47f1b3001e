import { createClient, type Client, type ClientOptions } from "../../src/client/index.ts";
import type { Client as Browser } from "./client.ts";

/** Sends the requests of the typed client through a browser with a cookie jar. */
const fetchBy =
  (browser: Browser) =>
  async (url: string, { method = "GET", headers, body, signal }: RequestInit): Promise<Response> => {
    const json: unknown = typeof body === "string" ? JSON.parse(body) : undefined;
    const sent = Object.fromEntries(new Headers(headers));
    const answer = await browser.request(method, url, json, { headers: sent, ...(signal && { signal }) });
    return new Response(answer.text, { status: answer.status, headers: answer.headers });
  };

/** Returns the typed client as a page in that browser has it. */
export const clientIn = (browser: Browser, options: ClientOptions = {}): Client =>
  createClient({ baseUrl: browser.url, fetch: fetchBy(browser), ...options });
