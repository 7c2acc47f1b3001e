import api from "../../../systemd/units/gatehouse-admin-api@.service" with { type: "text" };
import api1Metrics from "../../../systemd/units/gatehouse-admin-api@1.service.d/10-metrics.conf" with { type: "text" };
import api2Metrics from "../../../systemd/units/gatehouse-admin-api@2.service.d/10-metrics.conf" with { type: "text" };
import migrate from "../../../systemd/units/gatehouse-admin-migrate@.service" with { type: "text" };
import run from "../../../systemd/units/gatehouse-admin-run.service" with { type: "text" };
import scheduler from "../../../systemd/units/gatehouse-admin-scheduler.service" with { type: "text" };
import worker from "../../../systemd/units/gatehouse-admin-worker.service" with { type: "text" };
import target from "../../../systemd/units/gatehouse-admin.target" with { type: "text" };

/** Units of the admin app, by path below /etc/systemd/system. */
export const adminUnits: Readonly<Record<string, string>> = {
  "gatehouse-admin-api@.service": api,
  "gatehouse-admin-api@1.service.d/10-metrics.conf": api1Metrics,
  "gatehouse-admin-api@2.service.d/10-metrics.conf": api2Metrics,
  "gatehouse-admin-migrate@.service": migrate,
  "gatehouse-admin-run.service": run,
  "gatehouse-admin-scheduler.service": scheduler,
  "gatehouse-admin-worker.service": worker,
  "gatehouse-admin.target": target,
};
