import { expect, test } from "bun:test";
import { join } from "node:path";
import { sharedFolder } from "../support/folder.ts";
import { commandLimitMs, makeApp, npmMissing, readGuide } from "./app.fixture.ts";

const folder = sharedFolder();
const why = npmMissing === undefined ? "" : ` (${npmMissing})`;

test.skipIf(npmMissing !== undefined)(
  `the app of the guide for Expo is type-checked with the modules of the device, and bundled for a phone${why}`,
  async () => {
    const app = await makeApp(await readGuide("expo"), folder, {});
    await app.run("npx tsc --noEmit");
    await app.run(
      "EXPO_NO_TELEMETRY=1 EXPO_OFFLINE=1 npx expo export --platform android --no-bytecode --output-dir out",
    );
    const [bundle = ""] = [...new Bun.Glob("**/index-*.js").scanSync(join(folder, "my-app", "out"))];
    expect(await Bun.file(join(folder, "my-app", "out", bundle)).text()).toContain("com.example.shop:/callback");
  },
  4 * commandLimitMs,
);
