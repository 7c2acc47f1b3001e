import type { Database } from "../database/index.ts";
import type { JobNotices } from "./index.ts";

/** Where a trigger of the table sends the app of each job that its workers may take from now on. */
const channel = "gatehouse_jobs";

/** Of the jobs of an app. Undefined where the database tells nobody of them. */
export const jobNotices = ({ listen }: Database, app: string): JobNotices | undefined =>
  listen && ((wake) => listen(channel, (to = app) => to === app && wake()));
