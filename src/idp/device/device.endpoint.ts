import type { ProviderAuth } from "../../auth/index.ts";
import type { Endpoints } from "../protocol/http.ts";
import { provesItself } from "../client/client.ts";
import type { CallerOf } from "../token/caller.ts";
import { requireDeviceClient, type Devices } from "./devices.ts";
import { writeUserCode } from "./user.code.ts";

interface DeviceEndpointOptions {
  readonly endpoints: Endpoints;
  readonly auth: Pick<ProviderAuth, "limit">;
  readonly callerOf: CallerOf;
  readonly devices: Devices;
  /** The address of this service, without a slash at its end. */
  readonly issuer: string;
}

export const deviceAuthorizationPath = "/oauth2/device_authorization";
export const devicePath = "/device";

/** The endpoint at which a device asks for codes (RFC 8628 §3.1). */
export const deviceEndpoint = ({ endpoints, auth, callerOf, devices, issuer }: DeviceEndpointOptions) =>
  endpoints.endpoint(deviceAuthorizationPath, { methods: "POST", isOpen: false }, async (call) => {
    const { client, requester } = await callerOf(call);
    await auth.limit("device-request", requester, { isProven: provesItself(client) });
    requireDeviceClient(client);
    const begun = await devices.begin(client, call.params, requester);
    const code = writeUserCode(begun.code);
    const page = `${issuer}${devicePath}`;
    return {
      device_code: begun.device,
      user_code: code,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${code}`,
      expires_in: begun.expiresInSeconds,
      interval: begun.intervalSeconds,
    };
  });
