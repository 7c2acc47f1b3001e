import { afterAll, beforeAll } from "bun:test";
import { sharedFolder } from "../support/folder.ts";
import { freePort } from "../support/proxy.ts";
import { startStage, type StartedStage } from "../support/stage.ts";
import { startLine, type Line } from "./line.fixture.ts";
import { commandLimitMs, makeApp, readGuide, type MakingOptions } from "./app.fixture.ts";

interface GuideOptions extends MakingOptions {
  /** The port of the app in the guide. */
  readonly port: number;
  /** How the guide starts the app, on another port. */
  readonly start: (port: number) => string;
  /** What makes of the app what is started. */
  readonly build?: string;
}

export interface FollowedGuide extends StartedStage {
  /** The address of the app. */
  readonly url: string;
  /** The line by which the app reaches Gatehouse. */
  readonly line: Line;
}

/** Follows a guide before the tests of the calling describe block, and stops after them what it has started. */
export function followGuide(name: string, options: GuideOptions): () => FollowedGuide {
  const folder = sharedFolder();
  const begun: (() => Promise<unknown>)[] = [];
  let followed: FollowedGuide | undefined;
  beforeAll(async () => {
    const guide = await readGuide(name);
    const printed = `localhost:${options.port}`;
    if (!guide.includes(`APP_URL=http://${printed} gatehouse\n`)) throw new Error("the guide starts no Gatehouse");
    const port = freePort();
    const url = `http://localhost:${port}`;
    const staged = await startStage({ env: { APP_URL: url } });
    begun.push(staged.stop);
    const line = await startLine(staged.target.port);
    begun.push(line.stop);
    const app = await makeApp(guide, folder, options, (text) =>
      text.replaceAll("http://127.0.0.1:3000", line.url).replaceAll(printed, `localhost:${port}`),
    );
    if (options.build !== undefined) await app.run(options.build);
    const running = app.start(options.start(port));
    begun.push(running.stop);
    await running.answers(url);
    followed = { ...staged, url, line };
  }, 4 * commandLimitMs);
  afterAll(async () => {
    for (const stop of begun.toReversed()) await stop();
  });
  return () => {
    if (followed === undefined) throw new Error("the guide has not been followed");
    return followed;
  };
}
