import type { Brand } from "../http/pages/brand/brand.ts";
import { standalonePage } from "../http/pages/standalone.tsx";

/** The page that people see while maintenance is on. */
export const maintenancePage = (brand: Pick<Brand, "inlineMark" | "style">) =>
  standalonePage(
    brand,
    {
      title: "Down for maintenance",
      text: "We are working on this service, and it will be back shortly. Try again in a few minutes.",
    },
    {
      title: "Wartungsarbeiten",
      text: "Wir arbeiten an diesem Dienst, und er ist in Kürze wieder da. Versuchen Sie es in ein paar Minuten noch einmal.",
    },
  );
