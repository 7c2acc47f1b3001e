import { Type } from "@sinclair/typebox";
import { lookup } from "node:dns/promises";
import { day } from "../../core/clock.ts";
import { hostOf } from "../../core/address/url.parts.ts";
import { jsonAs } from "../../core/text/json.ts";
import { exampleFolder } from "../files/index.ts";
import { settingsPath } from "../files/settings.ts";
import { kernelCode } from "../system/index.ts";
import { figureOf } from "../system/loopback.ts";
import { note, wrong, type Found, type HostCheck, type HostView } from "./finding.ts";
import { askAt, systemRoots, type OutsideAnswer, type Shown } from "./outside.ask.ts";

/** Days before the end of a certificate from which it is told: renewals come about 30 days before. */
const noteDays = 14;
const wrongDays = 3;
const mostAddresses = 8;

const variableOf = ({ app }: Pick<HostView, "app">): string => (app === "gatehouse" ? "APP_URL" : "ADMIN_APP_URL");

/** Returns the address that people see. Other checks report one that can't be read. */
export const publicAddress = (view: Pick<HostView, "app" | "settings">): URL | undefined =>
  URL.parse(view.settings[variableOf(view)] ?? "") ?? undefined;

const proxyAdvice = `systemctl status nginx haproxy caddy says whether it runs, nginx -t what is wrong; examples are in ${exampleFolder}`;

/** Looks at the app as people reach it: by its name, through the proxy, with the certificate checked by the system's store of roots. */
export const outsideCheck: HostCheck = async (view) => {
  const url = publicAddress(view);
  if (url === undefined) return [];
  const host = hostOf(url);
  let addresses: readonly string[];
  try {
    addresses = (await lookup(host, { all: true })).map(({ address }) => address).slice(0, mostAddresses);
  } catch (error) {
    return [
      wrong(
        `the name ${host} is not found (${kernelCode(error) ?? "unknown"})`,
        `make a DNS record for it, or correct ${variableOf(view)} in ${settingsPath}; resolvectl query ${host}`,
      ),
    ];
  }
  const ca = await systemRoots();
  const asked = new URL("/-/ready", url);
  const counted = await readinessAnswers(view);
  const outcomes = await Promise.all(
    [...new Set(addresses)].map(async (address) => {
      const failed = (error: unknown) => ({ address, error });
      return askAt(address, asked, ca).then((answer) => ({ address, answer }), failed);
    }),
  );
  // An address of a kind that this host has no way to, such as IPv6, tells nothing of the app.
  const tried = outcomes.filter((outcome) => !("error" in outcome) || !unroutable.includes(kernelCode(outcome.error)));
  const told = (tried.length > 0 ? tried : outcomes).flatMap((outcome) =>
    "error" in outcome ? [unanswered(url, outcome.address, outcome.error)] : judge(view, url, outcome.answer),
  );
  const unique = told.filter(({ problem }, index) => told.findIndex((each) => each.problem === problem) === index);
  return unique.length > 0 ? unique : elsewhere(view, url, counted);
};

const unroutable: readonly (string | undefined)[] = ["ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL", "EAFNOSUPPORT"];

/** What is said of an answer that is not of TLS. */
const noTls = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|EPROTO|HTTP_REQUEST/;

const portOf = ({ port, protocol }: URL): string => port || (protocol === "https:" ? "443" : "80");

function unanswered(url: URL, address: string, error: unknown): Found {
  const place = `${hostOf(url)} (${address}, port ${portOf(url)})`;
  const said = error instanceof Error ? error.message : String(error);
  if (kernelCode(error) === "ECONNREFUSED")
    return wrong(`nothing listens at ${place}: the proxy is down, or the name leads elsewhere`, proxyAdvice);
  if (error instanceof Error && ["AbortError", "TimeoutError"].includes(error.name))
    return wrong(`${place} does not answer within five seconds: the proxy, a firewall or the name`, proxyAdvice);
  if (noTls.test(`${kernelCode(error)} ${said}`))
    return wrong(
      `${place} speaks no TLS, and the address of the app begins with https`,
      `the line listen of nginx needs ssl, bind of HAProxy ssl and crt: examples are in ${exampleFolder}`,
    );
  return wrong(`${place} does not answer: ${kernelCode(error) ?? said}`, proxyAdvice);
}

const Ready = Type.Object({ status: Type.String(), app: Type.String() });

function judge(view: HostView, url: URL, { status, text, certificate }: OutsideAnswer): readonly Found[] {
  const found = certificate === undefined ? [] : judgeCertificate(url, certificate);
  const answer = jsonAs(Ready, text);
  const wanted = view.app === "gatehouse" ? "app" : "admin";
  const place = `${url.origin}/-/ready`;
  if (answer?.app === wanted) {
    if (status === 200) return found;
    const mend = `gatehouse host:check on each host; what else is said here comes first`;
    return [...found, wrong(`${place} says ${answer.status}: an instance behind the proxy is not ready`, mend)];
  }
  const mend = `pass ${hostOf(url)} on to this app, by http:// as the examples in ${exampleFolder} do: behind the proxy it speaks no TLS`;
  if (answer !== undefined) return [...found, wrong(`${place} is answered by the app ${answer.app}`, mend)];
  const away = "the proxy answers, and reaches no instance";
  const stranger = "what answers there is not Gatehouse, or the proxy does not pass it on";
  const why = [502, 503, 504].includes(status) ? away : stranger;
  return [...found, wrong(`${place} is answered with ${status}: ${why}`, mend)];
}

const dateOf = (date: Date): string => date.toISOString().slice(0, 16).replace("T", " ");
/** Codes of the TLS library that speak of the times or the name, which are judged here. */
const judgedHere: readonly string[] = ["ERR_TLS_CERT_ALTNAME_INVALID", "CERT_NOT_YET_VALID"];

/** Finds what is wrong with a certificate as browsers see it, and what soon will be. */
export function judgeCertificate(url: URL, { validFrom, validTo, names, isForName, doubt }: Shown): readonly Found[] {
  const found: Found[] = [];
  const name = hostOf(url);
  const left = validTo.getTime() - Date.now();
  const renew = "renew it (certbot renew), then let the proxy load it: systemctl reload nginx";
  if (left <= 0) found.push(wrong(`the certificate of ${name} ended on ${dateOf(validTo)} UTC`, renew));
  else if (left < noteDays * day)
    found.push(
      (left < wrongDays * day ? wrong : note)(
        `the certificate of ${name} ends in ${Math.floor(left / day)} days, on ${dateOf(validTo)} UTC`,
        renew,
      ),
    );
  if (validFrom.getTime() > Date.now())
    found.push(
      wrong(`the certificate of ${name} begins on ${dateOf(validFrom)} UTC alone`, "timedatectl; then see it"),
    );
  if (!isForName)
    found.push(wrong(`the certificate at ${url.origin} is for ${names}, and not for ${name}`, "get one for this name"));
  if (doubt === undefined || judgedHere.includes(doubt) || found.some(({ level }) => level === "wrong")) return found;
  if (doubt === "CERT_HAS_EXPIRED")
    return [...found, wrong(`a certificate between that of ${name} and its root has ended`, renew)];
  const mend =
    "if its authority is your own, put that into /usr/local/share/ca-certificates; else send the whole chain";
  return [...found, note(`this host knows no root of the certificate of ${name} (${doubt})`, mend)];
}

/** Sums the answers to questions for readiness of all instances of this host. Undefined where they don't count. */
async function readinessAnswers({ units }: HostView): Promise<number | undefined> {
  const serving = units.scraped.filter(({ unit }) => units.http.some((each) => each.unit === unit));
  let sum: number | undefined;
  for (const { port } of serving) {
    const count = await figureOf(port, "http_requests_by_route_total", 'route="/-/ready"');
    if (count !== undefined) sum = (sum ?? 0) + count;
  }
  return sum;
}

/** Notes an answer that no instance of this host has given: a name that still leads to the host before, such as in a move. */
async function elsewhere(view: HostView, url: URL, before: number | undefined): Promise<readonly Found[]> {
  const after = await readinessAnswers(view);
  if (before === undefined || after === undefined || after !== before) return [];
  const what = `${url.origin} is answered by another host than this one`;
  return [note(what, `if there is no other one behind that name, lead it here: resolvectl query ${hostOf(url)}`)];
}
