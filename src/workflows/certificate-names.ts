/** Names added to a certificate or removed from it, without the caller resending the enrollment. */
import { invalidInput } from "../arguments/index.js";
import type { Composition } from "../calls/context.js";
import { change } from "../calls/workflow.js";
import { type FieldProblem, shown } from "../language/failure.js";
import { memberAt } from "../language/member.js";
import { listed } from "../language/words.js";
import { z } from "../language/z.js";
import { Enrollment } from "../tools/certificates/enrollment.js";
import { certificateName } from "../tools/certificates/names.js";
import { inShape } from "./steps.js";

const tool = "cert_names_update";
const reads = "cert_enrollment_get";
/** The newest form, because an older one lacks settings that a write would then leave out (public facts B, 1.3). */
const version = "v11";

interface Names {
  readonly cn: string;
  /** As the enrollment has them, which may be with the common name. */
  readonly sans: readonly string[];
}
type Given = Readonly<Record<"add" | "remove", readonly string[]>>;
type Enrolled = z.output<typeof Enrollment>;

const same = (one: string, other: string): boolean => certificateName(one) === certificateName(other);
const has = (names: readonly string[], name: string): boolean => names.some((one) => same(one, name));

/** What is wrong with the names by themselves. */
function malformed({ add, remove }: Given): FieldProblem[] {
  if (add.length + remove.length === 0) return [{ field: "add", takes: "a name to add, or remove a name to remove" }];
  return (["add", "remove"] as const).flatMap((field) => {
    const names = field === "add" ? add : remove;
    return names.flatMap((name, at): FieldProblem[] => {
      const problem = (takes: string) => [{ field: `${field}[${at}]`, given: shown(name), takes }];
      if (certificateName(name) === undefined)
        return problem("a DNS name such as shop.example.com or *.example.com, in ASCII and with a dot");
      if (has(names.slice(0, at), name)) return problem("each name once");
      return field === "remove" && has(add, name) ? problem("a name that is not to be added as well") : [];
    });
  });
}

/** What is wrong with the names for this certificate. */
function misplaced({ add, remove }: Given, { cn, sans }: Names): FieldProblem[] {
  const all = listed([cn, ...sans.filter((name) => !same(name, cn))]);
  const problem = (field: string, name: string, takes: string) => ({ field, given: shown(name), takes });
  return [
    ...add.flatMap((name, at) => {
      if (same(name, cn)) return [problem(`add[${at}]`, name, `another name: it is the common name already`)];
      return has(sans, name) ? [problem(`add[${at}]`, name, `a name that is not there yet; it has ${all}`)] : [];
    }),
    ...remove.flatMap((name, at) => {
      if (same(name, cn))
        return [
          problem(
            `remove[${at}]`,
            name,
            "a further name: the common name stays, and cert_enrollment_update changes it",
          ),
        ];
      return has(sans, name) ? [] : [problem(`remove[${at}]`, name, `a name that is there; it has ${all}`)];
    }),
  ];
}

const isWildcard = (name: string): boolean => name.startsWith("*.");

/** How many more names than the enrollment takes there would be, by the limits that it shows itself. */
function excess(enrollment: Enrolled, sans: readonly string[]): FieldProblem[] {
  const limits = [
    [enrollment.maxAllowedSanNames, sans, "further names"],
    [enrollment.maxAllowedWildcardSanNames, sans.filter(isWildcard), "further names with a wildcard"],
  ] as const;
  return limits.flatMap(([most, names, what]) =>
    typeof most !== "number" || names.length <= most
      ? []
      : [
          {
            field: "add",
            takes: `at most as many as the enrollment has room for: it takes ${most} ${what}, and it would have ${names.length}`,
          },
        ],
  );
}

/** Where the new names are not used although the certificate has them. */
function warningsOn(enrollment: Enrolled, add: readonly string[]): string[] {
  if (add.length === 0) return [];
  const settings = enrollment.networkConfiguration.dnsNameSettings;
  return [
    ...(settings?.cloneDnsNames === false
      ? [
          `networkConfiguration.dnsNameSettings lists the names that are served by itself (${listed(settings.dnsNames ?? []) || "none"}) and is not changed; cert_enrollment_update changes it.`,
        ]
      : []),
    ...(memberAt(enrollment, "thirdParty.excludeSans") === true
      ? ["thirdParty.excludeSans is true: the CSR has the common name alone, so the authority has to add these names."]
      : []),
  ];
}

export const certificateNames = change({
  title: "Certificates: add or remove names",
  does: "Adds and removes names of a certificate; the rest of its enrollment stays as it is.",
  input: z.strictObject({
    enrollmentId: z.int().positive(),
    add: z.array(z.string().max(254)).max(100).optional(),
    remove: z.array(z.string().max(254)).max(100).optional(),
    "allow-cancel-pending-changes": z.boolean().optional(),
  }),
  steps: [
    "Read the enrollment in its newest form, which has all of its settings.",
    "Add and remove the names; the common name and everything else stay as they were read.",
    "Preview the names that go and come, and when it is approved send the enrollment as an update.",
  ],
  example: { enrollmentId: 10001, add: ["static.shop.example"] },
  makes: "cert_enrollment_update",
  isFrontLine: false,

  async compose({ enrollmentId, add = [], remove = [], ...flags }, { invoke }): Promise<Composition> {
    const given = { add, remove };
    const wrong = malformed(given);
    if (wrong.length > 0) throw invalidInput(tool, wrong);
    const { body } = await invoke(reads, { enrollmentId, version });
    const enrollment = inShape(reads, Enrollment, body);
    const { cn } = enrollment.csr;
    const before = enrollment.csr.sans ?? [];
    const refused = misplaced(given, { cn, sans: before });
    const added = add.map((name) => certificateName(name) ?? name);
    const sans = [...before.filter((name) => !has(remove, name)), ...added];
    const problems = [...refused, ...(add.length === 0 ? [] : excess(enrollment, sans))];
    if (problems.length > 0) throw invalidInput(tool, problems);
    // What was read is sent, not what its schema made of it, so that no member is lost.
    const { location: _, pendingChanges: __, csr, ...rest } = body as Readonly<Record<string, unknown>>;
    return {
      args: { enrollmentId, version, ...flags, body: { ...rest, csr: { ...(csr as object), sans } } },
      notes: [
        ...before.filter((name) => has(remove, name)).map((name) => `- name ${name}`),
        ...added.map((name) => `+ name ${name}`),
        `The common name stays ${cn}; it then has ${sans.filter((name) => !same(name, cn)).length} further names.`,
      ],
      warnings: warningsOn(enrollment, added),
    };
  },
});
