import { minute, type Millis } from "../../../core/clock.ts";

const local = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::\d{2})?)?$/;

/** Returns how far a zone is ahead of UTC at a moment. */
function offsetAt(moment: Millis, zone: string): Millis {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(moment);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute;
}

/** Returns the moment of a date and time in that zone; undefined for a text that is no date. */
export function fromZone(text: string, zone: string): Millis | undefined {
  const [, date, time = "00:00"] = local.exec(text) ?? [];
  const wall = date === undefined ? Number.NaN : Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(wall)) return undefined;
  // The second offset is right also close to a change of the clocks.
  const near = wall - offsetAt(wall, zone);
  return wall - offsetAt(near, zone);
}
