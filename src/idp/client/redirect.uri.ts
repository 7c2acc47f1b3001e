import { hostOf } from "../../core/address/url.parts.ts";
import type { Client, ClientType } from "./client.ts";

const longestUri = 2_048;
const longestResource = 512;
const schemes = (names: string): ReadonlySet<string> => new Set(names.split(" "));
/** Schemes that run or read something in the browser itself. */
const ofBrowser = schemes(
  "javascript: data: file: blob: vbscript: about: ftp: ws: wss: mailto: view-source: filesystem: intent:",
);
/** Schemes by which programs of the system call, mount, search or run something: no app signs in by them. */
const ofSystem = schemes(
  "tel: sms: callto: sip: sips: facetime: facetime-audio: smb: cifs: nfs: afp: sftp: scp: ftps: tftp: dav: davs: ssh: telnet: rlogin: tn3270: " +
    "rdp: vnc: ldap: ldaps: search: search-ms: shell: hcp: help: mk: res: its: jar: magnet: irc: ircs: news: nntp: gopher: webcal:",
);
/** Whether an address is opened by something that is no app of the client. Windows itself has what begins with `ms-`. */
const isDangerous = ({ protocol }: URL): boolean =>
  ofBrowser.has(protocol) || ofSystem.has(protocol) || protocol.startsWith("ms-");
const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost"]);
/** What is no part of an address (RFC 3986 §2), and what browsers read as a slash. A header can't hold it, either. */
const unsafe = /[^\x21-\x7E]|[\\"<>^`{|}]/;
/** Browsers read an http address without two slashes as a path of the page that leads there. */
const written = /^https?:\/\/[^/]/i;

const isHttp = ({ protocol }: URL): boolean => protocol === "http:" || protocol === "https:";
/** Whether an address is one of the web, and not of an app on the device. */
export const isWebAddress = (uri: string): boolean => {
  const url = URL.parse(uri);
  return url !== null && isHttp(url);
};
export const isLoopback = (url: URL): boolean => url.protocol === "http:" && loopback.has(hostOf(url));

/** Says what is wrong with an address that a client of this type wants people led to; undefined where nothing is (RFC 6749 §3.1.2, RFC 8252). */
export function redirectUriComplaint(uri: string, type: ClientType): string | undefined {
  if (uri.length > longestUri || unsafe.test(uri))
    return "is too long, or has characters that no address has: others are percent-encoded";
  const url = URL.parse(uri);
  if (url === null) return "is no absolute address";
  if (uri.includes("#")) return "has a fragment";
  if (url.username !== "" || url.password !== "") return "has a user or a password";
  if (isDangerous(url)) return "has a scheme that nobody may be led to";
  if (/,https?:\/\//.test(uri)) return "has two addresses in it: each stands by itself";
  if (isHttp(url)) {
    if (!written.test(uri)) return "has not two slashes after its scheme";
    return uri.includes("*") ? "has a star: addresses are compared whole" : undefined;
  }
  return type === "native" ? undefined : "must begin with https:// (a scheme of its own is for native clients)";
}

/** Whether an address can name a resource server: an absolute one without a fragment, written as an address is (RFC 8707 §2). */
export function isResource(uri: string): boolean {
  const url = uri.length > longestResource || unsafe.test(uri) ? null : URL.parse(uri);
  return url !== null && !uri.includes("#") && url.username === "" && url.password === "";
}

/** Says what is wrong with an address that this service itself will call. */
export function calledUriComplaint(uri: string, allowHttp: boolean): string | undefined {
  const url = URL.parse(uri);
  if (url === null || !isHttp(url) || uri.length > longestUri || unsafe.test(uri)) return "is no absolute http address";
  if (uri.includes("#") || url.username !== "") return "has a fragment or a user";
  return url.protocol === "https:" || allowHttp || isLoopback(url) ? undefined : "must begin with https://";
}

/** Returns a loopback address without its port, as it is written otherwise; undefined for any other address. */
function withoutPort(uri: string): string | undefined {
  const [, host, rest = ""] =
    /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:[/?].*)?)$/.exec(uri) ?? [];
  return host === undefined ? undefined : `${host}${rest === "" ? "/" : rest}`;
}

/** Whether an address is one of those that were registered, character by character. A loopback one of a native client has any port (RFC 8252 §7.3). */
export function isRegistered(uri: string, { settings: { type, redirect_uris: registered } }: Client): boolean {
  if (registered.includes(uri)) return true;
  if (type !== "native") return false;
  const asked = withoutPort(uri);
  if (asked === undefined || redirectUriComplaint(uri, type) !== undefined) return false;
  return registered.some((each) => withoutPort(each) === asked);
}

/**
 * Returns the source of a Content-Security-Policy that permits an address, and those to which it redirects. Browsers hold every redirect
 * after a form against the policy of its page, and apps lead on to hosts of theirs that nobody here knows: so it is the scheme alone.
 */
export const sourceOf = (uri: string): string => new URL(uri).protocol;

/** Where an address leads, as people read it: a host, or the scheme that an app on this device has. What such an app calls its host is none. */
export const placeOf = (uri: string): string => {
  const url = new URL(uri);
  return isHttp(url) ? url.host : url.protocol;
};

/** A resource server as people read it: its host, or the whole of an address that has none. */
export const serverOf = (resource: string): string => (isWebAddress(resource) ? placeOf(resource) : resource);

export const placesOf = ({ settings }: Pick<Client, "settings">): readonly string[] => [
  ...new Set(settings.redirect_uris.map(placeOf)),
];

/** Whether a client may lead people to one of several places, of which a request names any. All loopback addresses are this computer. */
export const leadsToSeveral = ({ settings }: Pick<Client, "settings">): boolean =>
  new Set(settings.redirect_uris.map((uri) => (isLoopback(new URL(uri)) ? "" : placeOf(uri)))).size > 1;
