import { callsOfRequests, measured, type Call } from "./support/calls.ts";

// Prints as one line of JSON what a login by password calls in src, over HTTP and in this process, once everything is loaded. With --list it
// prints every call and its caller before that. The loader of calls.ts sees only what is imported after it.
const { startTarget } = await import("./support/target.ts");
const { auth, calm, createPeople } = await import("./support/auth.ts");

// Without workers and schedules: on a busy machine their looks for work fall into every login. Without inspects, which are off as shipped,
// and which a run of the whole suite turns on.
const target = await startTarget({ env: { ...calm, LIGHTHOUSE_INSPECT_ENABLED: "false" }, roles: ["http"] });
const ada = await createPeople(target.url).register("ada");
await ada.login();
const logins: (readonly Call[])[] = [];
for (let times = 0; times < 5; times += 1) {
  // A request that comes half a second after the last one reads the switch of maintenance, which is no part of a login.
  await Bun.sleep(500);
  await ada.client.get(auth("me"));
  logins.push(...(await callsOfRequests(async () => void (await ada.login()))));
}
await target.stop();
const [shortest = []] = logins.toSorted((a, b) => a.length - b.length);
if (process.argv.includes("--list"))
  for (const { callee, caller } of shortest)
    console.log(`${callee.file}:${callee.line} ${callee.name} <- ${caller?.file} ${caller?.name}`);
console.log(JSON.stringify(measured(shortest)));
process.exit(0);
