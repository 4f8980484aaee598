/** What can be read of certificates: the kinds of input that a change can wait for, with what each is decided by and takes. */
import { mediaList } from "../../language/media.js";
import type { DeclaredResource } from "../../language/reading.js";
import { jsonSchemaOf } from "../../schema/json-schema.js";
import { informationOf, input } from "./change.js";

const isKind = (text: string): text is keyof typeof informationOf => Object.hasOwn(informationOf, text);
const kinds = Object.keys(informationOf).filter(isKind);

const inputOf = (kind: keyof typeof informationOf) => ({
  allowedInputTypeParam: kind,
  decidedBy: informationOf[kind],
  bodies: mediaList(input.choices[kind]).map(({ type, schema }) => ({ type, schema: jsonSchemaOf(schema, "input") })),
});

export const certificateResources: readonly DeclaredResource[] = [
  {
    address: "cert://inputs",
    name: "certificate-inputs",
    title: "Kinds of certificate input",
    description: "What a change of a certificate can wait for, what each is decided by, and the bodies that it takes.",
    content: { value: () => ({ inputs: kinds.map(inputOf) }), values: [] },
  },
  {
    address: "cert://inputs/{kind}",
    name: "certificate-input",
    title: "Kind of certificate input",
    description: "One kind of input: what it is decided by, and the bodies that it takes.",
    content: { value: (kind) => (isKind(kind) ? inputOf(kind) : undefined), values: kinds },
  },
];
