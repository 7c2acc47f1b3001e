import { Elysia } from "elysia";
import { hidden } from "../http/index.ts";
import type { StaffPages } from "./pages.ts";

/** Mails about an account lead to `/account`, in whichever app they come from: here that is the page of the person. */
export const accountRoutes = ({ staff }: { readonly staff: StaffPages }) =>
  new Elysia({ name: "staff/account" }).get(
    "/account",
    ({ request, set }) => staff.page(request, set, ({ viewer }) => ({ to: `/people/${viewer.session.userId}` })),
    hidden,
  );
