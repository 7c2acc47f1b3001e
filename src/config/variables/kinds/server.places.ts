import { addressFamily } from "../../../core/address/address.family.ts";
import { placeInUrl, type ServerPlace } from "../../../core/address/url.parts.ts";
import { host, list, type Kind } from "./kinds.ts";

/** More than anybody runs: each is a connection of its own. */
const most = 15;

/** Reads `10.0.0.11:26379`, `sentinel.example.com:26379` or `[2001:db8::11]:26379`. */
function placeOf(text: string): ServerPlace | undefined {
  const [, inBrackets, name, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  const isHost =
    inBrackets === undefined
      ? name !== undefined && host.complaint(name) === undefined
      : addressFamily(inBrackets) === 6;
  return isHost && port > 0 && port <= 65_535 ? { host: (inBrackets ?? name ?? "").toLowerCase(), port } : undefined;
}

function complaintOf(value: string): string | undefined {
  const places = list.read(value).map(placeOf);
  const wrong = places.indexOf(undefined);
  if (wrong >= 0) return `must be hosts with their ports, such as 10.0.0.11:26379: number ${wrong + 1} is none`;
  const texts = places.flatMap((place) => (place === undefined ? [] : [placeInUrl(place)]));
  const again = texts.findIndex((text, index) => texts.indexOf(text) !== index);
  if (again >= 0) return `must name each host with its port once: number ${again + 1} is there already`;
  return places.length > 0 && places.length <= most ? undefined : `must be 1 to ${most} hosts with their ports`;
}

/** Servers of one kind, each with its port. */
export const serverPlaces: Kind<readonly ServerPlace[]> = {
  complaint: complaintOf,
  read: (value) => list.read(value).flatMap((each) => placeOf(each) ?? []),
  lines: "items",
};
