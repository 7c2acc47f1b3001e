import type { Job } from "../../core/job.ts";
import type { Client } from "../client.ts";
import { newDeviceJob } from "../mail/jobs.ts";
import type { DeviceProofs } from "../pressure/device.proof.ts";
import type { UserRow } from "../user/user.repository.ts";

/**
 * Tells the owner of a sign-in by a browser or an app that the account does not know. The first sign-in of an account is told to nobody, and
 * an address that is not proven gets no such mail.
 */
export const createNewDevices =
  ({ deviceOf }: Pick<DeviceProofs, "deviceOf">) =>
  (user: UserRow, sessionId: string, client: Client): readonly Job[] => {
    const { devices } = client;
    if (user.lastLoginAt === null || user.emailVerifiedAt === null || devices === undefined) return [];
    const isKnown = devices.length > 0 && deviceOf(devices, user) !== undefined;
    return isKnown ? [] : [newDeviceJob(user, sessionId, client)];
  };
