import type { NoticeCapability } from "../../database/index.ts";
import type { JobNotices } from "../index.ts";

/** The channel on which a trigger of the table sends the app of each job that its workers may take from now on. */
const channel = "gatehouse_jobs";

/** Notices of the jobs of an app. A notice without a text stands for any that were lost. */
export const jobNotices =
  ({ listen }: NoticeCapability, app: string): JobNotices =>
  (wake) =>
    listen(channel, (to = app) => to === app && wake());
