import { Elysia } from "elysia";
import { AppError } from "../../../core/errors.ts";
import { isId } from "../../../core/ids.ts";
import { isName } from "../../../core/naming.ts";
import type { StaffPages } from "../../pages.ts";
import type { ConsoleParts } from "../options.ts";
import { DeliveriesPage, DeliveryPage, type DeliveryFilter } from "./page.tsx";

interface WebhookRouteOptions extends Pick<ConsoleParts, "deliveries" | "redact"> {
  readonly staff: StaffPages;
}

const back = "/webhooks";
const aPage = 50;

/** Reads the query of the list. A value that makes no sense chooses nothing. */
function readFilter(search: URLSearchParams): DeliveryFilter {
  const [webhook, before] = [search.get("webhook") ?? "", search.get("before") ?? ""];
  return {
    webhook: isName("webhook", webhook) ? webhook : undefined,
    onlyFailed: search.get("state") === "failed",
    before: isId(before) ? before : undefined,
  };
}

/** The pages of what was sent to webhooks. */
export const webhookRoutes = ({ staff, deliveries, redact }: WebhookRouteOptions) =>
  new Elysia({ name: "staff/webhooks" })
    .use(
      staff.page(back, "webhooks.see", async (context) => {
        const filter = readFilter(context.search);
        const found = await deliveries.page({ ...filter, limit: aPage + 1 });
        const shown = found.slice(0, aPage);
        const next = found.length > aPage ? shown.at(-1)?.id : undefined;
        return DeliveriesPage({ context, names: deliveries.names, filter, deliveries: shown, next });
      }),
    )
    .use(
      staff.page(`${back}/:id`, "webhooks.see", async (context, id) => {
        const delivery = isId(id) ? await deliveries.one(id) : undefined;
        if (delivery === undefined) throw new AppError("not_found");
        const attempts = await deliveries.ofMessage(delivery.messageId);
        return DeliveryPage({ context, delivery, attempts, redact });
      }),
    )
    .use(
      staff.act(`${back}/:id/resend`, { may: "webhooks.resend", back }, async ({ by, words }, _form, id) => {
        const resent = isId(id) ? await deliveries.resend(id, by) : undefined;
        if (resent === undefined) throw new AppError("not_found");
        const { webhook, isSent } = resent;
        const { gone, resent: sent } = words.webhooks;
        if (!isSent) return { to: back, notice: { kind: "warning", text: gone({ webhook }) } };
        return { to: back, notice: { kind: "good", text: sent({ webhook }) } };
      }),
    );
