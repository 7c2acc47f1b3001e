/** Reads what a program of somebody else has published, by the guarded way out: it follows no redirect, and has five seconds. */
export type Read = (
  origin: string,
  call: {
    readonly method: "GET";
    readonly url: string;
    readonly allowPrivate: boolean;
    readonly headers: Readonly<Record<string, string>>;
    readonly mostAnswerBytes: number;
  },
) => Promise<{
  readonly status: number;
  readonly headers: Pick<Headers, "get">;
  readonly body: { readonly text: string; readonly isWhole: boolean };
}>;

interface Reading {
  /** Whether the address may be one of a private network, as operators register them. */
  readonly allowPrivate: boolean;
  readonly mostBytes: number;
}

/** Returns the way to read a text of JSON. Rejects where it can't be read as a whole. */
export const createReader =
  (read: Read) =>
  async (url: string, { allowPrivate, mostBytes }: Reading) => {
    const headers = { accept: "application/json", "user-agent": "gatehouse" };
    const {
      status,
      headers: head,
      body,
    } = await read(new URL(url).origin, {
      method: "GET",
      url,
      allowPrivate,
      headers,
      mostAnswerBytes: mostBytes,
    });
    if (!body.isWhole) throw new Error(`its answer has more than ${mostBytes} bytes, or broke off`);
    return { status, headers: head, text: body.text };
  };

export type Reader = ReturnType<typeof createReader>;
