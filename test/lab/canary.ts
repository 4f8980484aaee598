/** Canary secrets: credentials that no output may hold in any form, and the search of all output for them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Credentials of a made-up account, with characters that each way of encoding has to do something about. */
export const canaryVariables: Readonly<Record<string, string>> = {
  AKAMAI_HOST: "akab-canary.luna.akamaiapis.net",
  AKAMAI_CLIENT_TOKEN: "akab-canary~client+token/0f3c",
  AKAMAI_CLIENT_SECRET: 'canary+"client\\secret"/%7e9A1=',
  AKAMAI_ACCESS_TOKEN: "akab-canary~access+token/81d2",
};

const secretVariable = /_(TOKEN|SECRET|PASSWORD)$/;
const secretLine = /^\s*\w*(?:token|secret|password)\s*=\s*(\S+)\s*$/gm;

/** The secrets that an environment and a file of credentials configure. */
export function secretsIn(environment: Readonly<Record<string, string>>, edgerc: string): string[] {
  const variables = Object.entries(environment).filter(([name]) => secretVariable.test(name));
  const lines = existsSync(edgerc) ? [...readFileSync(edgerc, "utf8").matchAll(secretLine)] : [];
  return [...variables.map(([, value]) => value), ...lines.map(([, value = ""]) => value)];
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const percent = (bytes: Buffer): string => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

/** What base64 makes of a secret that stands `offset` bytes into a text, as far as its neighbors do not matter. */
function base64At(secret: string, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const whole = text.toString("base64").replace(/=+$/, "");
  return whole.slice(Math.ceil((offset * 8) / 6), Math.floor((text.length * 8) / 6));
}

/** The forms in which a secret can leak, by name. */
function formsOf(secret: string): ReadonlyMap<string, string> {
  const bytes = Buffer.from(secret);
  const forms = new Map<string, string>([
    ["raw", secret],
    ["JSON", inJson(secret)],
    ["JSON in JSON", inJson(inJson(secret))],
    ["URL-encoded", encodeURIComponent(secret)],
    ["URL-encoded, lower case", encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ["URL-encoded as a form", new URLSearchParams({ x: secret }).toString().slice(2)],
    ["URL-encoded whole", percent(bytes)],
    ["hex", bytes.toString("hex")],
    ["HEX", bytes.toString("hex").toUpperCase()],
  ]);
  for (const offset of [0, 1, 2]) {
    const base64 = base64At(secret, offset);
    forms.set(`base64 at ${offset}`, base64);
    forms.set(`base64url at ${offset}`, base64.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return forms;
}

export interface CanarySearch {
  /** Searches a text, of which only what was found is kept. */
  see(where: string, text: string): void;
  /** Searches all files under a directory but those of certain names. */
  seeFiles(directory: string, except: readonly string[]): void;
  /** @throws when a secret was found, naming the form and the place but not the secret. */
  end(): void;
}

/** A search for secrets in whatever it is shown. */
export function canarySearch(secrets: readonly string[]): CanarySearch {
  const forms = secrets.flatMap((secret, at) =>
    [...formsOf(secret)].map(([form, text]) => ({ what: `secret ${at + 1} of ${secrets.length}, ${form}`, text })),
  );
  const found = new Set<string>();
  const see: CanarySearch["see"] = (where, text) => {
    for (const { what, text: form } of forms) if (text.includes(form)) found.add(`${what}, in ${where}`);
  };
  return {
    see,
    seeFiles(directory, except) {
      if (!existsSync(directory)) return;
      for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || except.includes(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        see(`the file ${path}`, `${path}\n${readFileSync(path, "latin1")}`);
      }
    },
    end() {
      if (found.size > 0) throw new Error(`Secrets were let out: ${[...found].join("; ")}.`);
    },
  };
}
