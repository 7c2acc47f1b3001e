import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { mac, secretsEqual } from "../../core/crypto.ts";
import { appendCookie, readCookie, type ResponseHead } from "../../http/index.ts";

/** The result of an act, for the page that follows it. */
const Notice = Type.Object({
  kind: Type.Union([Type.Literal("good"), Type.Literal("warning"), Type.Literal("danger")]),
  text: Type.String({ maxLength: 400 }),
  /** The act that undoes the first one: a button that posts these fields. */
  undo: Type.Optional(
    Type.Object({
      action: Type.String({ maxLength: 200 }),
      label: Type.String({ maxLength: 60 }),
      fields: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 200 }))),
    }),
  ),
});
export type Notice = Readonly<Static<typeof Notice>>;
const Kept = Type.Object({ at: Type.String(), notice: Notice });

interface NoticeOptions {
  readonly cookie: string;
  readonly key: Uint8Array;
  readonly isSecure: (request: Request) => boolean;
}

/** How long a notice waits for its page. A slow connection gets there in time; a later page shows no notice. */
const lastsSeconds = 60;

/**
 * Carries the result of an act to the next page in a cookie, which is signed for one session and one path. No store is needed, and nobody
 * else can put words on a page.
 */
export function createNotices({ cookie, key, isSecure }: NoticeOptions) {
  const tagOf = (session: string, body: string): string => mac(key, `notice.${session}.${body}`);

  function write(head: ResponseHead, request: Request, value: string, maxAge: number): void {
    const secure = isSecure(request);
    appendCookie(head, cookie, value, { httpOnly: true, sameSite: "lax", path: "/", secure, maxAge });
  }

  return {
    keep(head: ResponseHead, request: Request, session: string, at: string, notice: Notice): void {
      const body = Buffer.from(JSON.stringify({ at, notice })).toString("base64url");
      write(head, request, `${body}.${tagOf(session, body)}`, lastsSeconds);
    },

    /** Returns the notice for the page at this path, once. */
    take(head: ResponseHead, request: Request, session: string, at: string): Notice | undefined {
      const [body = "", tag = ""] = (readCookie(request, cookie) ?? "").split(".");
      if (body === "" || !secretsEqual(tag, tagOf(session, body))) return undefined;
      const kept: unknown = JSON.parse(Buffer.from(body, "base64url").toString());
      if (!Value.Check(Kept, kept) || kept.at !== at) return undefined;
      write(head, request, "", 0);
      return kept.notice;
    },
  };
}

export type Notices = ReturnType<typeof createNotices>;
