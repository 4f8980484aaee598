/** Reads the notation of the pages back, so that what a page states can be compared with what a schema requires. */

/** A type as it is written, by its parts. */
export type Written =
  | { readonly anyOf: readonly Written[] }
  | { readonly both: readonly [Written, Written] }
  | { readonly members: readonly WrittenMember[] }
  | { readonly item: Written; readonly count: Range }
  | { readonly items: readonly Written[] }
  | { readonly value: unknown }
  | { readonly scalar: string; readonly range: Range; readonly words: string }
  | { readonly name: string };

interface WrittenMember {
  readonly name: string;
  /** What a name is, where the member has any name. */
  readonly names?: Written;
  readonly isRequired: boolean;
  readonly type: Written;
  readonly standard?: unknown;
}

/** The least and the most, `>` in front of a bound that is not included. */
export type Range = readonly [least: string, most: string];

const scalars = ["string", "integer", "number", "boolean", "null", "any", "object"];

function rangeIn(text: string): Range | undefined {
  const [, least, most] = /^(-?[\d.]+|)\.\.(-?[\d.]+|)$/.exec(text.replace(/^>/, "")) ?? [];
  if (least !== undefined && most !== undefined) return [least, most];
  if (/^>-?[\d.]+$/.test(text)) return [text, ""];
  return /^-?\d+$/.test(text) ? [text, text] : undefined;
}

class Reader {
  private at = 0;
  readonly types = new Map<string, Written>();

  constructor(private readonly text: string) {}

  private fail(needed: string): never {
    throw new Error(`${needed} is missing at ${JSON.stringify(this.text.slice(this.at, this.at + 60))}`);
  }

  private take(pattern: RegExp): string | undefined {
    const found = new RegExp(pattern.source, "y");
    found.lastIndex = this.at;
    const [all, inside = all] = found.exec(this.text) ?? [];
    if (all === undefined) return undefined;
    this.at += all.length;
    return inside;
  }

  private need(pattern: RegExp): string {
    return this.take(pattern) ?? this.fail(pattern.source);
  }

  /** What is between two parentheses, pairs of them included. */
  private inParentheses(): string {
    if (this.take(/\((?=\/)/) !== undefined) return this.need(/([\s\S]*?(?<!\\)\/)\)/);
    this.need(/\(/);
    const from = this.at;
    for (let open = 1; open > 0; this.at += 1) {
      if (this.at >= this.text.length) this.fail(")");
      open += { "(": 1, ")": -1 }[this.text[this.at] ?? ""] ?? 0;
    }
    return this.text.slice(from, this.at - 1);
  }

  private scalar(name: string): Written {
    const inside = this.text[this.at] === "(" ? this.inParentheses() : "";
    const [first = "", ...others] = inside.split(", ");
    const range = rangeIn(first);
    return { scalar: name, range: range ?? ["", ""], words: range ? others.join(", ") : inside };
  }

  private primary(): Written {
    if (this.take(/\(\s*\|?/) !== undefined) {
      const inside = this.union();
      this.need(/\s*\)/);
      return inside;
    }
    if (this.take(/\{/) !== undefined) return this.object();
    if (this.take(/\[/) !== undefined) {
      const items = [this.union()];
      while (this.take(/, /) !== undefined) items.push(this.union());
      this.need(/\]/);
      return { items };
    }
    const value = this.take(/"(?:[^"\\]|\\.)*"|-?\d[\d.]*|true\b|false\b/);
    if (value !== undefined) return { value: JSON.parse(value) };
    const name = this.need(/[A-Za-z]\w*/);
    return scalars.includes(name) ? this.scalar(name) : { name };
  }

  private list(): Written {
    let type = this.primary();
    for (let count = this.take(/\[([\d.]*)\]/); count !== undefined; count = this.take(/\[([\d.]*)\]/))
      type = { item: type, count: rangeIn(count) ?? ["", ""] };
    return type;
  }

  private both(): Written {
    const one = this.list();
    return this.take(/ & /) === undefined ? one : { both: [one, this.list()] };
  }

  private union(): Written {
    const anyOf = [this.both()];
    while (this.take(/\s*\|/) !== undefined) anyOf.push(this.both());
    return anyOf.length === 1 && anyOf[0] ? anyOf[0] : { anyOf };
  }

  private object(): Written {
    const members: WrittenMember[] = [];
    while (this.take(/\s*\}/) === undefined) {
      this.take(/\s+|; /);
      members.push(...this.line());
    }
    return { members };
  }

  private label(): Pick<WrittenMember, "name" | "names" | "isRequired"> {
    if (this.take(/\[name/) !== undefined) {
      const names = this.take(/: /) === undefined ? {} : { names: this.union() };
      this.need(/\]/);
      return { name: "[name]", ...names, isRequired: true };
    }
    const quoted = this.take(/"(?:[^"\\]|\\.)*"/);
    const name = quoted === undefined ? this.need(/[\w.$@-]+/) : String(JSON.parse(quoted));
    return { name, isRequired: this.take(/\?/) === undefined };
  }

  private json(): unknown {
    for (let end = this.at + 1; end <= this.text.length; end += 1)
      if (/^(?: — |\n|; |\}|$)/.test(this.text.slice(end)))
        try {
          const value: unknown = JSON.parse(this.text.slice(this.at, end));
          this.at = end;
          return value;
        } catch {
          // It goes on behind this.
        }
    return this.fail("JSON");
  }

  /** The members of a line, which all take the same. */
  line(): WrittenMember[] {
    const labels = [this.label()];
    while (this.take(/, /) !== undefined) labels.push(this.label());
    this.need(/: /);
    const type = this.union();
    const standard = this.take(/ = /) === undefined ? {} : { standard: this.json() };
    this.take(/ — [^\n]*/);
    return labels.map((label) => ({ ...label, type, ...standard }));
  }

  /** Members and named types in lines, or one type and named types. */
  whole(): Written {
    const members: WrittenMember[] = [];
    let root: Written | undefined;
    while (this.at < this.text.length) {
      const name = this.take(/([A-Z]\w*) = /);
      if (name !== undefined && this.take(/the whole/) === undefined) this.types.set(name, this.union());
      else if (name === undefined && /^(?:"[^"]*"|\[name[^\]]*\]|[\w.$@-]+)\??(?:, |: )/.test(this.text.slice(this.at)))
        members.push(...this.line());
      else if (name === undefined) root = this.union();
      else this.types.set(name, { name: "" });
      this.take(/ — [^\n]*/);
      this.take(/\n/);
    }
    const whole = root ?? { members };
    this.types.set("", whole);
    return whole;
  }
}

/** The type that is written, and the named types in it; the whole is the type without a name. */
export function readNotation(text: string): { readonly whole: Written; readonly types: ReadonlyMap<string, Written> } {
  const reader = new Reader(text);
  return { whole: reader.whole(), types: reader.types };
}
