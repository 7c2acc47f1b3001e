import { acts } from "./acts.ts";
import { apps } from "./apps.ts";
import { audit } from "./audit.ts";
import { dashboard } from "./dashboard.ts";
import { frame } from "./frame.ts";
import { invitations } from "./invitations.ts";
import { jobs } from "./jobs.ts";
import { mails } from "./mails.ts";
import { maintenance } from "./maintenance.ts";
import { organizations } from "./organizations.ts";
import { people } from "./people.ts";
import { reasons } from "./reasons/index.ts";
import { schedules } from "./schedules.ts";
import { webhooks } from "./webhooks.ts";

/**
 * The words of the pages for staff, page by page. They are read by those who run the service, in fewer languages than the pages for people,
 * and no operator has words of their own for them.
 */
export const staff = {
  frame,
  people,
  acts,
  reasons,
  organizations,
  invitations,
  dashboard,
  audit,
  jobs,
  apps,
  webhooks,
  mails,
  schedules,
  maintenance,
} as const;

export type StaffEnglish = typeof staff;
