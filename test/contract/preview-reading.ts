/** Reads the lines of a preview back into the values that they tell, with a reading of their own. */

/** A mask, in the place of a secret of that many characters. */
export interface Masked {
  readonly characters: number;
}

interface Read<T> {
  readonly value: T;
  readonly rest: string;
}

const word = /^[^\s,\]}]+/;
const name = /^[A-Za-z0-9_@$-]+/;
const quoted = /^"(?:[^"\\]|\\.)*"/;

const nameAt = (text: string): Read<string> => {
  const [bare] = quoted.exec(text) ?? name.exec(text) ?? [];
  if (bare === undefined) throw new Error(`no name: ${text}`);
  return { value: bare.startsWith('"') ? (JSON.parse(bare) as string) : bare, rest: text.slice(bare.length) };
};

/** The parts of a path, up to the colon behind it; undefined for a line that has none. */
function pathAt(text: string): Read<readonly (string | number)[]> | undefined {
  const path: (string | number)[] = [];
  let rest = text;
  while (!rest.startsWith(": ")) {
    const [item, index] = /^\[(\d+)\]/.exec(rest) ?? [];
    if (item !== undefined) {
      path.push(Number(index));
      rest = rest.slice(item.length);
      continue;
    }
    if (path.length > 0 && !rest.startsWith(".")) return undefined;
    const one = nameAt(path.length > 0 ? rest.slice(1) : rest);
    path.push(one.value);
    rest = one.rest;
  }
  return { value: path, rest: rest.slice(2) };
}

function listAt(text: string): Read<unknown[]> {
  const items: unknown[] = [];
  let rest = text.slice(1);
  while (!rest.startsWith("]")) {
    const item = valueAt(rest);
    items.push(item.value);
    rest = item.rest.replace(/^, /, "");
  }
  return { value: items, rest: rest.slice(1) };
}

function recordAt(text: string): Read<Record<string, unknown>> {
  const members: Record<string, unknown> = {};
  let rest = text.slice(1);
  while (!rest.startsWith("}")) {
    const key = nameAt(rest);
    const member = valueAt(key.rest.slice(2));
    members[key.value] = member.value;
    rest = member.rest.replace(/^, /, "");
  }
  return { value: members, rest: rest.slice(1) };
}

function plainAt(text: string): Read<unknown> {
  const [mask, characters] = /^\[secret, (\d+) characters\]/.exec(text) ?? [];
  if (mask !== undefined)
    return { value: { characters: Number(characters) } satisfies Masked, rest: text.slice(mask.length) };
  if (text.startsWith("[")) return listAt(text);
  if (text.startsWith("{")) return recordAt(text);
  const [found] = quoted.exec(text) ?? word.exec(text) ?? [];
  if (found === undefined) throw new Error(`no value: ${text}`);
  const isJson = found.startsWith('"') || /^(true|false|null|-?\d+(\.\d+)?(e[-+]?\d+)?)$/i.test(found);
  return { value: isJson ? (JSON.parse(found) as unknown) : found, rest: text.slice(found.length) };
}

function valueAt(text: string): Read<unknown> {
  const { value, rest } = plainAt(text);
  return { value, rest: rest.replace(/^ \(default\)/, "") };
}

/** The arguments of these names that the lines of a preview tell, in their order. */
export function argumentsIn(lines: readonly string[], names: readonly string[]): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const line of lines) {
    if (!names.some((one) => line.startsWith(one) && /^[.[:]/.test(line.slice(one.length)))) continue;
    const at = pathAt(line);
    if (at === undefined) throw new Error(`no path: ${line}`);
    const isCount = /^[\d,]+ items?(, [\d,]+ different)?(; digest \S+)?$/.test(at.rest);
    let inside = root as Record<string | number, unknown>;
    for (const [step, key] of at.value.entries()) {
      const isLast = step === at.value.length - 1;
      if (isLast) inside[key] = isCount ? [] : valueAt(at.rest).value;
      else {
        inside[key] ??= typeof at.value[step + 1] === "number" ? [] : {};
        inside = inside[key] as Record<string | number, unknown>;
      }
    }
  }
  return root;
}
