import { Elysia } from "elysia";
import type { StaffPages } from "../pages.ts";
import { HomePage } from "./page.tsx";

const hidden = { detail: { hide: true } } as const;

export const homeRoutes = ({ staff }: { readonly staff: StaffPages }) =>
  new Elysia({ name: "staff/home" }).get(
    "/",
    ({ request, set }) => staff.page(request, set, (context) => HomePage({ context })),
    hidden,
  );
