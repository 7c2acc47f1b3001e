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
