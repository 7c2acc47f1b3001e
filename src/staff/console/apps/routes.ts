import { Elysia } from "elysia";
import { AppError } from "../../../core/errors.ts";
import { isId } from "../../../core/ids.ts";
import type { Client } from "../../../idp/index.ts";
import type { StaffPages } from "../../pages.ts";
import type { ConsoleParts } from "../options.ts";
import { AppPage, AppsPage, appsPath, RemoveAppPage } from "./page.tsx";

interface AppRouteOptions {
  readonly staff: StaffPages;
  readonly clients: NonNullable<ConsoleParts["clients"]>;
}

/** The pages of the programs that sign people in here. */
export function appRoutes({ staff, clients }: AppRouteOptions) {
  async function named(id: string): Promise<Client> {
    const client = isId(id) ? await clients.byId(id) : undefined;
    if (client === undefined) throw new AppError("not_found");
    return client;
  }
  return new Elysia({ name: "staff/apps" })
    .use(staff.page(appsPath, "apps.see", async (context) => AppsPage({ context, clients: await clients.list() })))
    .use(
      staff.page(`${appsPath}/:id`, "apps.see", async (context, id) => AppPage({ context, client: await named(id) })),
    )
    .use(
      staff.page(`${appsPath}/:id/remove`, "apps.remove", async (context, id) =>
        RemoveAppPage({ context, client: await named(id) }),
      ),
    )
    .use(
      staff.act(
        `${appsPath}/:id/remove`,
        (id) => ({ may: "apps.remove", back: `${appsPath}/${id}`, isDangerous: true }),
        async ({ by, words }, _form, id) => {
          const client = await named(id);
          await clients.remove(client, by);
          return { to: appsPath, notice: { kind: "good", text: words.apps.removing.done({ name: client.name }) } };
        },
      ),
    );
}
