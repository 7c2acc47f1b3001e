import adminApi from "../../../systemd/units/gatehouse-admin-api@.service" with { type: "text" };
import adminApi1Metrics from "../../../systemd/units/gatehouse-admin-api@1.service.d/10-metrics.conf" with { type: "text" };
import adminApi2Metrics from "../../../systemd/units/gatehouse-admin-api@2.service.d/10-metrics.conf" with { type: "text" };
import adminMigrate from "../../../systemd/units/gatehouse-admin-migrate@.service" with { type: "text" };
import adminRun from "../../../systemd/units/gatehouse-admin-run.service" with { type: "text" };
import adminScheduler from "../../../systemd/units/gatehouse-admin-scheduler.service" with { type: "text" };
import adminWorker from "../../../systemd/units/gatehouse-admin-worker.service" with { type: "text" };
import adminTarget from "../../../systemd/units/gatehouse-admin.target" with { type: "text" };
import appApi from "../../../systemd/units/gatehouse-api@.service" with { type: "text" };
import appApi1Metrics from "../../../systemd/units/gatehouse-api@1.service.d/10-metrics.conf" with { type: "text" };
import appApi2Metrics from "../../../systemd/units/gatehouse-api@2.service.d/10-metrics.conf" with { type: "text" };
import appMigrate from "../../../systemd/units/gatehouse-migrate@.service" with { type: "text" };
import appRun from "../../../systemd/units/gatehouse-run.service" with { type: "text" };
import appScheduler from "../../../systemd/units/gatehouse-scheduler.service" with { type: "text" };
import appWorker from "../../../systemd/units/gatehouse-worker.service" with { type: "text" };
import appTarget from "../../../systemd/units/gatehouse.target" with { type: "text" };
import identity from "../../../systemd/units/gatehouse-.service.d/10-identity.conf" with { type: "text" };
import secrets from "../../../systemd/units/gatehouse-.service.d/15-secrets.conf" with { type: "text" };
import sandbox from "../../../systemd/units/gatehouse-.service.d/20-sandbox.conf" with { type: "text" };
import network from "../../../systemd/units/gatehouse-.service.d/30-network.conf" with { type: "text" };

/** Drop-ins for the units of both apps: user, secrets, sandbox and network. */
export const sharedUnits: Readonly<Record<string, string>> = {
  "gatehouse-.service.d/10-identity.conf": identity,
  "gatehouse-.service.d/15-secrets.conf": secrets,
  "gatehouse-.service.d/20-sandbox.conf": sandbox,
  "gatehouse-.service.d/30-network.conf": network,
};

/** Units of the API app, by path below /etc/systemd/system. */
export const appUnits: Readonly<Record<string, string>> = {
  "gatehouse-api@.service": appApi,
  "gatehouse-api@1.service.d/10-metrics.conf": appApi1Metrics,
  "gatehouse-api@2.service.d/10-metrics.conf": appApi2Metrics,
  "gatehouse-migrate@.service": appMigrate,
  "gatehouse-run.service": appRun,
  "gatehouse-scheduler.service": appScheduler,
  "gatehouse-worker.service": appWorker,
  "gatehouse.target": appTarget,
};

export const adminUnits: Readonly<Record<string, string>> = {
  "gatehouse-admin-api@.service": adminApi,
  "gatehouse-admin-api@1.service.d/10-metrics.conf": adminApi1Metrics,
  "gatehouse-admin-api@2.service.d/10-metrics.conf": adminApi2Metrics,
  "gatehouse-admin-migrate@.service": adminMigrate,
  "gatehouse-admin-run.service": adminRun,
  "gatehouse-admin-scheduler.service": adminScheduler,
  "gatehouse-admin-worker.service": adminWorker,
  "gatehouse-admin.target": adminTarget,
};
