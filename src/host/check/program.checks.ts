import { Type } from "@sinclair/typebox";
import { isLoopback } from "../../core/address/address.ts";
import { hostOf } from "../../core/address/url.parts.ts";
import { isOn } from "../files/settings.ts";
import { note, type HostCheck } from "./finding.ts";
import { rowsOf } from "./rows.ts";

const Program = Type.Object({ name: Type.String(), redirect_uris: Type.Array(Type.String()) });

const isInTheClear = (uri: string): boolean => {
  const url = URL.parse(uri);
  if (url?.protocol !== "http:") return false;
  const host = hostOf(url);
  return host !== "localhost" && !isLoopback(host);
};

/** Finds programs whose people are led to an address without TLS, where others on the way read the code that they bring. */
export const programCheck: HostCheck = async (view) => {
  if (view.current === undefined || view.app !== "gatehouse" || !isOn(view.settings["IDP_ENABLED"])) return [];
  const programs = await rowsOf(view, Program, ["client:list"]);
  // Other checks report a database that can't be read.
  if (typeof programs === "string") return [];
  return programs.flatMap(({ name, redirect_uris: uris }) => {
    const uri = uris.find(isInTheClear);
    if (uri === undefined) return [];
    return [
      note(
        `people who sign in to ${name} are led to ${uri} without TLS, so that others on the way can read their codes`,
        `gatehouse client:update ${JSON.stringify(name)} --redirect-uri with an address that begins with https://`,
      ),
    ];
  });
};
