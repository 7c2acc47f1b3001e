// An app in Express behind the gate, as test/kits/gate.conformance.ts describes it.
import express from "express";
import { gatehouse, requireUser } from "gatehouse-client/express";
import { cached, needs, options, port, told } from "./told.js";

const app = express();
app.use(gatehouse({ ...options, needs }));
const who = (asked, answer) => void answer.json(told(asked.user));
const user = (more) => requireUser({ signIn: true, ...more });

app.get("/public", (asked, answer) => void answer.json({ user: told(asked.user) }));
app.get("/whoami", user(), who);
app.get("/cached", user(), (asked, answer) => void answer.set(cached).json(told(asked.user)));
app.get("/admin-only", user({ role: "admin" }), who);
app.get("/org-only", user({ orgRole: "owner" }), who);
app.get(
  "/org-only/:id",
  requireUser((asked) => ({ org: asked.params.id })),
  who,
);
app.get(
  "/org-missing",
  requireUser((asked) => ({ org: asked.params.id })),
  who,
);
app.post("/change", user(), (_asked, answer) => void answer.json({ changed: true }));
app.listen(port, "127.0.0.1");
