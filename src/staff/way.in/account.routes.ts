import { Elysia } from "elysia";
import { hidden } from "../../http/index.ts";
import type { StaffPages } from "../pages.ts";

/** Leads from `/account` to the page of the signed-in person. Mails about an account link to `/account` in either app. */
export const accountRoutes = ({ staff }: { readonly staff: StaffPages }) =>
  new Elysia({ name: "staff/account" }).get(
    "/account",
    ({ request, set }) => staff.page(request, set, ({ viewer }) => ({ to: `/people/${viewer.session.userId}` })),
    hidden,
  );
