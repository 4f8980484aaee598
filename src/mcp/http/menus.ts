/** The menus of an HTTP endpoint by path: each is a subset of the one that the server was started with. */
import { unlistedNames } from "../../engine/catalogue.js";
import { groupsIn, type Menu, type MenuChoice, menuOf, wholeMenu } from "../../engine/menu.js";
import type { Surface } from "../../engine/surface.js";
import { didYouMean } from "../../text/nearest.js";

// There are too many combinations of services to keep, so only the recently used ones are cached.
const maxKept = 32;
const grammar = "/mcp, optionally followed by /core or /catalogue, /services/NAME,NAME and /readonly";

/** From the widest list to the narrowest. */
const widths: readonly MenuChoice["surface"][] = ["all", "core", "catalogue"];

/** The services that a path names, or why they are not available. */
function servicesOf(text: string, { services }: MenuChoice, known: ReadonlySet<string>): readonly string[] | string {
  const serviceNames = [...new Set(text.split(","))].sort();
  for (const name of serviceNames) {
    if (!known.has(name)) return `There is no service ${JSON.stringify(name)}${didYouMean(name, known)}.`;
    if (services && !services.includes(name)) return `The service ${name} is not offered by this server.`;
  }
  return serviceNames;
}

/** The choice that a path names; or why there is none. */
function choiceAt(path: string, base: MenuChoice, known: ReadonlySet<string>): MenuChoice | string {
  const [, surface, services, readOnly] =
    /^\/mcp(?:\/(core|catalogue))?(?:\/services\/([^/]+))?(\/readonly)?$/.exec(path) ?? [];
  if (surface === undefined && services === undefined && readOnly === undefined)
    return `Not found. MCP is served at ${grammar}.`;
  const chosenSurface = widths.find((width) => width === surface) ?? base.surface;
  if (widths.indexOf(chosenSurface) < widths.indexOf(base.surface))
    return `The surface ${chosenSurface} is wider than the one this server was started with, which is ${base.surface}.`;
  const serviceNames = services === undefined ? base.services : servicesOf(services, base, known);
  if (typeof serviceNames === "string") return serviceNames;
  return {
    ...base,
    surface: chosenSurface,
    ...(serviceNames === undefined ? {} : { services: serviceNames }),
    ...(services === undefined ? {} : { areServicesOfAddress: true }),
    ...(readOnly === undefined ? {} : { isReadOnly: true }),
  };
}

/** Finds the menu at a path, or why there is none. Equivalent paths share a menu. */
export type MenuLookup = (path: string) => Menu | string;

export function createMenus({
  catalogue,
  choice: base = wholeMenu,
}: Pick<Surface, "catalogue" | "choice">): MenuLookup {
  const baseMenu = menuOf(catalogue, base);
  const known = new Set([...groupsIn(catalogue), ...unlistedNames(catalogue).services]);
  // Least recently used first.
  const cachedMenus = new Map<string, Menu>();
  return (path) => {
    if (path === "/mcp") return baseMenu;
    const choice = choiceAt(path.replaceAll(/%2c/gi, ","), base, known);
    if (typeof choice === "string") return choice;
    const key = JSON.stringify([choice.surface, choice.services ?? null, choice.isReadOnly ?? false]);
    const menu = cachedMenus.get(key) ?? menuOf(catalogue, choice);
    cachedMenus.delete(key);
    cachedMenus.set(key, menu);
    for (const oldest of cachedMenus.keys()) {
      if (cachedMenus.size <= maxKept) break;
      cachedMenus.delete(oldest);
    }
    return menu;
  };
}
