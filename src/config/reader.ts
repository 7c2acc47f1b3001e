import { isName, maxNameLength, variableOf } from "../core/naming.ts";
import { table, variables, variablesIn, type VariableName } from "./variables/index.ts";
import type {
  AppIdentity,
  AppName,
  Circumstances,
  Named,
  Resources,
  Section,
  Variable,
} from "./variables/kinds/variable.ts";

export const defaultResource = "default";

export type EnvironmentValues = Readonly<Record<string, string | undefined>>;

const byName: ReadonlyMap<string, Variable> = new Map(variables.map((variable) => [variable.name, variable]));

function lookUp(wanted: Variable | string): Variable {
  if (typeof wanted !== "string") return wanted;
  const variable = byName.get(wanted);
  if (variable === undefined) throw new Error(`there is no variable ${wanted}`);
  return variable;
}

export const prefixOf = (app: AppName): string => `${app.toUpperCase()}_`;

/**
 * Returns a value before any rule. The app's own name for it (`ADMIN_API_HTTP_PORT`) wins over the plain one; an empty value counts as
 * none.
 */
export const valueIn = (env: EnvironmentValues, app: AppName, name: string): string | undefined =>
  [env[`${prefixOf(app)}${name}`], env[name]].find((value) => value !== undefined && value !== "");

/** Returns a value as written, even one that its rule refuses, or the default. For commands that need few settings. */
export const writtenValue = (env: EnvironmentValues, app: AppIdentity, name: VariableName): string =>
  valueIn(env, app.name, name) ?? createReader({ app, env, unread: new Set() }).text(name);

interface ReaderOptions {
  readonly app: AppIdentity;
  readonly env: EnvironmentValues;
  /** Secrets that are set, but whose files could not be read. */
  readonly unread: ReadonlySet<string>;
}

/** Judges every value of the environment. A value that breaks its rule becomes a problem and reads as the default. */
export function createReader({ app, env, unread }: ReaderOptions) {
  const problems: string[] = [];
  const accepted = new Map<string, string>();
  const find = (name: string): string | undefined => valueIn(env, app.name, name);

  function accept({ kind }: Variable, name: string): void {
    const value = find(name);
    if (value === undefined) return;
    const complaint = kind.complaint(value);
    if (complaint === undefined) accepted.set(name, value);
    else problems.push(`${name} ${complaint}`);
  }
  for (const variable of variables) accept(variable, variable.name);

  const acceptedValue = ({ name }: Variable, resource: string): string | undefined =>
    accepted.get(variableOf(name, resource));

  function text(variable: Variable, resource: string): string {
    const { fallback, otherwise } = variable;
    return acceptedValue(variable, resource) ?? fallback ?? otherwise?.(circumstancesOf(resource)) ?? "";
  }
  const circumstancesOf = (resource: string): Circumstances => ({
    app,
    local: text(table.app.env, resource) === "local",
    text: (name) => text(lookUp(name), resource),
    resource,
  });

  const plainNames: ReadonlySet<string> = new Set(
    Object.keys(env).map((name) =>
      name.startsWith(prefixOf(app.name)) ? name.slice(prefixOf(app.name).length) : name,
    ),
  );

  /** Says why a name such as STORAGE_UPLOADS_PATH sets nothing of a resource. */
  function nameComplaint(name: string, family: string, resource: string, setting: string): string | undefined {
    const driver = variableOf(`${family}_<NAME>_DRIVER`, resource);
    if (name !== name.toUpperCase()) return `${name} must be written in upper case`;
    if (!isName("resource", resource))
      return `${name}: a name has at most ${maxNameLength} letters, digits and single underscores, and begins with a letter`;
    if (resource === defaultResource) return `${name}: the default resource is ${family}_${setting}`;
    return find(driver) === undefined ? `${name} is set without ${driver}` : undefined;
  }

  /** Returns the names in variables of the environment such as WEBHOOK_<NAME>_URL. Judges these variables and each name in them. */
  function namesIn(
    section: Section,
    complaintOf: (name: string, named: { readonly resource: string; readonly setting: string }) => string | undefined,
  ): readonly string[] {
    const names = new Set<string>();
    for (const variable of variablesIn(section)) {
      const [prefix = "", setting = ""] = variable.name.split("_<NAME>_");
      const pattern = new RegExp(`^${prefix}_(.+)_${setting}$`, "s");
      for (const name of plainNames) {
        const resource = pattern.exec(name)?.[1]?.toLowerCase().replaceAll("_", "-");
        if (resource === undefined || byName.has(name) || find(name) === undefined) continue;
        const complaint = complaintOf(name, { resource, setting });
        if (complaint !== undefined) problems.push(complaint);
        else names.add(resource);
        accept(variable, name);
      }
    }
    return [...names].toSorted();
  }

  return {
    problems,
    /** Whether the environment sets the variable, whatever the value. */
    isSet(variable: Variable | VariableName, resource = defaultResource): boolean {
      const name = variableOf(lookUp(variable).name, resource);
      return find(name) !== undefined || unread.has(name);
    },
    /** Returns the names whose values were accepted. Those of named resources are among them once `resourcesOf` has judged these. */
    accepted: (): readonly string[] => [...accepted.keys()],
    /** Returns the value, or the default, as written in the environment. */
    text: (variable: Variable | VariableName): string => text(lookUp(variable), defaultResource),
    /** Returns the value, or the default, as `Config` holds it. */
    value: (variable: Variable, resource = defaultResource): unknown =>
      variable.optional === true && acceptedValue(variable, resource) === undefined
        ? undefined
        : variable.kind.read(text(variable, resource)),

    /** Returns the resources of a family besides the default one, from the names in the environment. Judges their variables. */
    resourcesOf: ({ family, named }: Resources): readonly string[] =>
      namesIn(named, (name, { resource, setting }) => nameComplaint(name, family, resource, setting)),

    /** Returns the names of settings that have no default resource. Judges their variables, and refuses mistyped ones. */
    namesOf({ prefix, what, each }: Named): readonly string[] {
      const names = namesIn(each, (name, { resource }) => {
        if (name !== name.toUpperCase()) return `${name} must be written in upper case`;
        const isFit = isName(what, resource);
        return isFit
          ? undefined
          : `${name}: a name has at most ${maxNameLength} letters, digits and single underscores`;
      });
      const settings = variablesIn(each).map(({ name }) => name.replace(`${prefix}_<NAME>_`, ""));
      const known = new RegExp(`^${prefix}_.+_(?:${settings.join("|")})(?:_FILE)?$`);
      for (const name of plainNames) {
        const owner = names.find((each) => name.startsWith(`${variableOf(`${prefix}_<NAME>`, each)}_`));
        if (owner !== undefined && !known.test(name) && find(name) !== undefined)
          problems.push(`${name} is no setting of ${what} ${owner}: these are ${settings.join(", ")}`);
      }
      return names;
    },
  };
}

export type Reader = ReturnType<typeof createReader>;
