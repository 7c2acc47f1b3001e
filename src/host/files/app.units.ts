import api from "../../../systemd/units/gatehouse-api@.service" with { type: "text" };
import api1Metrics from "../../../systemd/units/gatehouse-api@1.service.d/10-metrics.conf" with { type: "text" };
import api2Metrics from "../../../systemd/units/gatehouse-api@2.service.d/10-metrics.conf" with { type: "text" };
import migrate from "../../../systemd/units/gatehouse-migrate@.service" with { type: "text" };
import run from "../../../systemd/units/gatehouse-run.service" with { type: "text" };
import scheduler from "../../../systemd/units/gatehouse-scheduler.service" with { type: "text" };
import worker from "../../../systemd/units/gatehouse-worker.service" with { type: "text" };
import target from "../../../systemd/units/gatehouse.target" with { type: "text" };

/** Units of the API app, by path below /etc/systemd/system. */
export const appUnits: Readonly<Record<string, string>> = {
  "gatehouse-api@.service": api,
  "gatehouse-api@1.service.d/10-metrics.conf": api1Metrics,
  "gatehouse-api@2.service.d/10-metrics.conf": api2Metrics,
  "gatehouse-migrate@.service": migrate,
  "gatehouse-run.service": run,
  "gatehouse-scheduler.service": scheduler,
  "gatehouse-worker.service": worker,
  "gatehouse.target": target,
};
