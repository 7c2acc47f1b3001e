import { expect, test } from "bun:test";
import { createClient } from "../../support/client.ts";
import { startTarget } from "../../support/target.ts";

test("X-63 a developer's machine has the manual at /docs, and the start says so; nothing else has it", async () => {
  const local = await startTarget({ env: { APP_ENV: "local", LIGHTHOUSE_INSPECT_ENABLED: "false" } });
  try {
    const client = createClient(local.url);
    // The site is built by itself: where it is not, a page says how.
    const { status, text } = await client.get("/docs/");
    expect({ status, isHere: /<title>(?:Gatehouse|Documentation)/.test(text) }).toEqual({
      status: text.includes("not built yet") ? 404 : 200,
      isHere: true,
    });
    expect((await client.get("/")).text).toContain('href="/docs"');
  } finally {
    await local.stop();
  }
  const elsewhere = await startTarget({ env: { APP_ENV: "testing" } });
  try {
    const { status, text } = await createClient(elsewhere.url).get("/docs/");
    expect({ status, text: text.includes("Documentation") }).toEqual({ status: 404, text: false });
  } finally {
    await elsewhere.stop();
  }
});
