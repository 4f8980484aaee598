/** The menus of an HTTP endpoint by their paths: each is a part of the one that the server was started with. */
import { didYouMean } from "../../language/nearest.js";
import { groupsIn, type Menu, type MenuChoice, menuOf, wholeMenu } from "../menu.js";
import type { Surface } from "../surface.js";

// There are more combinations of services than a process could hold, so only those in use are kept.
const maxKept = 32;
const grammar = "/mcp, then /core or /catalogue, /services/NAME,NAME and /readonly, each where it is wanted";

/** From the widest list to the narrowest. */
const widths: readonly MenuChoice["surface"][] = ["all", "core", "catalogue"];

/** The services that a path names, of those that are offered; or why they cannot be had. */
function servicesOf(text: string, { services }: MenuChoice, known: ReadonlySet<string>): readonly string[] | string {
  const named = [...new Set(text.split(","))].sort();
  for (const name of named) {
    if (!known.has(name)) return `There is no service ${JSON.stringify(name)}${didYouMean(name, known)}.`;
    if (services && !services.includes(name)) return `The service ${name} is not offered by this server.`;
  }
  return named;
}

/** The choice that a path stands for; or why there is none. */
function choiceAt(path: string, base: MenuChoice, known: ReadonlySet<string>): MenuChoice | string {
  const [, surface, services, readOnly] =
    /^\/mcp(?:\/(core|catalogue))?(?:\/services\/([^/]+))?(\/readonly)?$/.exec(path) ?? [];
  if (surface === undefined && services === undefined && readOnly === undefined)
    return `Not found. MCP is served at ${grammar}.`;
  const wanted = widths.find((width) => width === surface) ?? base.surface;
  if (widths.indexOf(wanted) < widths.indexOf(base.surface))
    return `The ${wanted} surface is wider than what this server was started with, which is ${base.surface}.`;
  const named = services === undefined ? base.services : servicesOf(services, base, known);
  if (typeof named === "string") return named;
  return {
    ...base,
    surface: wanted,
    ...(named === undefined ? {} : { services: named }),
    ...(services === undefined ? {} : { areServicesOfAddress: true }),
    ...(readOnly === undefined ? {} : { isReadOnly: true }),
  };
}

/** Finds the menu at a path; or says why there is none. Two paths that mean the same have the same menu. */
export type MenuAt = (path: string) => Menu | string;

export function createMenus({ catalogue, choice: base = wholeMenu }: Pick<Surface, "catalogue" | "choice">): MenuAt {
  const own = menuOf(catalogue, base);
  const known = groupsIn(catalogue);
  // The longest unused first.
  const kept = new Map<string, Menu>();
  return (path) => {
    if (path === "/mcp") return own;
    const choice = choiceAt(path.replaceAll(/%2c/gi, ","), base, known);
    if (typeof choice === "string") return choice;
    const key = JSON.stringify([choice.surface, choice.services ?? null, choice.isReadOnly ?? false]);
    const menu = kept.get(key) ?? menuOf(catalogue, choice);
    kept.delete(key);
    kept.set(key, menu);
    for (const oldest of kept.keys()) {
      if (kept.size <= maxKept) break;
      kept.delete(oldest);
    }
    return menu;
  };
}
