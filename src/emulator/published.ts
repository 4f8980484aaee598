/** Converts requests in the form of public facts to that of the documents: members of the body return to their places. */
import type { AnyOperation } from "../language/define.js";
import { isRecord } from "../language/member.js";
import type { Texts } from "./media.js";
import { Refusal } from "./reply.js";
import type { IncomingRequest } from "./verify.js";

interface Form {
  readonly operation: AnyOperation;
  readonly inBody: readonly string[];
}

function membersOf(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isRecord(value)) return value;
  } catch {
    // What is no JSON is refused below, like any other value that has no members.
  }
  throw new Refusal(400, "Malformed body", "The body is not a JSON object", { field: "body" });
}

/** A request and its path segments in the documents' form; unchanged if it has that form. */
export function asDocumented(
  { operation, inBody }: Form,
  segments: Texts,
  request: IncomingRequest,
): { readonly segments: Texts; readonly request: IncomingRequest } {
  if (inBody.length === 0) return { segments, request };
  const members = membersOf(request.body);
  const rest = Object.fromEntries(Object.entries(members).filter(([name]) => !inBody.includes(name)));
  const url = new URL(request.url);
  const found: Record<string, string> = { ...segments };
  for (const name of inBody) {
    const isInPath = Object.hasOwn(operation.spec.path ?? {}, name);
    const value = members[name];
    if (value === undefined && isInPath)
      throw new Refusal(400, "Invalid value", `${name} is required`, { field: name });
    if (value === undefined) continue;
    if (isInPath) found[name] = encodeURIComponent(String(value));
    else url.searchParams.set(name, String(value));
  }
  const hasBody = operation.spec.body !== undefined;
  const body = hasBody ? new TextEncoder().encode(JSON.stringify(rest)) : new Uint8Array();
  return { segments: found, request: { ...request, url, body } };
}
