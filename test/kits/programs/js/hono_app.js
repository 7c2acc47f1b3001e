// An app in Hono behind the gate, as test/kits/gate.conformance.ts describes it.
import { serve } from "@hono/node-server";
import { getConnInfo } from "@hono/node-server/conninfo";
import { Hono } from "hono";
import { gatehouse, requireUser } from "gatehouse-client/hono";
import { cached, needs, options, port, told } from "./told.js";

const app = new Hono();
app.use(gatehouse({ ...options, needs, clientAddress: (c) => getConnInfo(c).remote.address }));
const who = (c) => c.json(told(c.get("user")));
const user = (more) => requireUser({ signIn: true, ...more });

app.get("/public", (c) => c.json({ user: told(c.get("user")) }));
app.get("/whoami", user(), who);
app.get("/cached", user(), (c) => c.json(told(c.get("user")), 200, cached));
app.get("/admin-only", user({ role: "admin" }), who);
app.get("/org-only", user({ orgRole: "owner" }), who);
app.get(
  "/org-only/:id",
  requireUser((c) => ({ org: c.req.param("id") })),
  who,
);
app.get(
  "/org-missing",
  requireUser((c) => ({ org: c.req.param("id") })),
  who,
);
app.post("/change", user(), (c) => c.json({ changed: true }));
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" });
