/** The address of what moves by itself: `live://TOOL?argument=value`, by the tool that began it or that shows it. */
import { profileArgument } from "../language/account.js";
import type { Arguments } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { memberAt } from "../language/member.js";

/**
 * The address of what a launch has started.
 * @param names What its declaration follows it by.
 * @param launch The arguments of the launch, of which the address has those that tell how it ends.
 * @param profile The one in which it was launched, where there are several.
 */
export function liveAddress(
  tool: string,
  { spec }: AnyOperation,
  names: Arguments,
  launch: Arguments,
  profile?: string,
): string {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(names)) values.set(name, String(value));
  for (const path of spec.awaits?.reads ?? []) {
    const value = memberAt(launch, path);
    if (value !== undefined && !values.has(path)) values.set(path, String(value));
  }
  if (profile !== undefined) values.set(profileArgument, profile);
  return `live://${tool}?${values}`;
}

/**
 * The form of such an address; undefined for a tool of which nothing moves by itself.
 * @param operations Those of its service, among which is the one that shows a launch.
 */
export function liveForm(tool: string, operations: Readonly<Record<string, AnyOperation>>): string | undefined {
  const { awaits } = operations[tool]?.spec ?? {};
  const shows = awaits && operations[awaits.status ?? tool];
  if (!shows) return undefined;
  const names = [...new Set([...Object.keys(shows.spec.path ?? {}), ...(awaits?.reads ?? [])])];
  return `live://${tool}?${names.map((name) => `${name}=…`).join("&")}`;
}
