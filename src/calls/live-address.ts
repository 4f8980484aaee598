/** URIs of live state: `live://TOOL?argument=value`, with the tool that started a job or that shows the state. */
import { profileArgument } from "../language/account.js";
import type { Arguments } from "../language/conduct.js";
import type { AnyOperation } from "../language/define.js";
import { memberAt } from "../language/member.js";

/**
 * The URI of a launched job.
 * @param names The arguments by which it is polled.
 * @param launch The arguments of the launch, of which the URI includes those that affect the outcome.
 * @param profile The profile of the launch, if there are several.
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
 * The URI template; undefined for a tool without live state.
 * @param operations The operations of its service, among them the one that shows a launch.
 */
export function liveAddressTemplate(
  tool: string,
  operations: Readonly<Record<string, AnyOperation>>,
): string | undefined {
  const { awaits } = operations[tool]?.spec ?? {};
  const shows = awaits && operations[awaits.status ?? tool];
  if (!shows) return undefined;
  const names = [...new Set([...Object.keys(shows.spec.path ?? {}), ...(awaits?.reads ?? [])])];
  return `live://${tool}?${names.map((name) => `${name}=…`).join("&")}`;
}
