import { Elysia } from "elysia";
import { leadTo } from "../../http/pages/answer.ts";
import type { StaffPages } from "../pages.ts";
import { HomePage } from "./page.tsx";

const hidden = { detail: { hide: true } } as const;

export const homeRoutes = ({ staff }: { readonly staff: StaffPages }) =>
  new Elysia({ name: "staff/home" })
    .get("/", ({ request, set }) => staff.page(request, set, (context) => HomePage({ context })), hidden)
    // Mails about an account lead here, in whichever app they come from.
    .get(
      "/account",
      ({ request, set }) =>
        staff.page(request, set, ({ viewer, href }) => leadTo(set, href(`/people/${viewer.session.userId}`))),
      hidden,
    );
