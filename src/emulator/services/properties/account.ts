/** Groups, contracts, products, CP codes, edge hostnames, schemas and settings of the emulated property service. */
import type { Behaviours } from "../../../api/behaviour.js";
import { jsonSchemaOf } from "../../../api/json-schema.js";
import { mediaList } from "../../../api/media.js";
import type { z } from "../../../api/z.js";
import { accountOperations } from "../../../tools/properties/account.js";
import type { properties as declared } from "../../../tools/properties/index.js";
import { instant } from "../../values.js";
import type { World } from "../../world.js";
import { account } from "../account.js";
import { groupsOf } from "../groups.js";
import { edgeHostnameBehaviours } from "./edge-hostnames.js";
import {
  accountId,
  checkPlace,
  contractItems,
  contractOf,
  linkTo,
  notFound,
  ownerOf,
  productOf,
  refused,
  shownTo,
} from "./lookup.js";
import { behaviorNames, criterionNames } from "./validation.js";
import { type OwnCpCode, products, ruleFormats, stateOf } from "./world.js";

type Own = Pick<Behaviours<typeof declared, World>, keyof typeof accountOperations>;

const cpCodeItem = ({ id, name, productId, createdAtMs }: OwnCpCode) => ({
  cpcodeId: id,
  cpcodeName: name,
  productIds: [productId],
  createdDate: instant(createdAtMs),
});

const draft = "http://json-schema.org/draft-04/schema#";
const bodySchemas: Readonly<Record<string, z.ZodType | undefined>> = {
  "CreateNewCpcodeRequestV0.json": mediaList(accountOperations.property_cpcode_create.spec.body)[0]?.schema,
  "CreateNewEdgeHostnameRequestV0.json": mediaList(accountOperations.property_edge_hostname_create.spec.body)[0]
    ?.schema,
};
const build = { buildDate: "2017-05-26T23:56:21Z", commitDate: "2017-05-26T23:55:53Z", branch: "candidate-17.2" };

export const accountBehaviours: Own = {
  property_groups_list: (_, world) => ({
    status: 200,
    body: shownTo(world, {
      accountId,
      accountName: account.name,
      groups: {
        items: groupsOf(world).map(({ id, name, parentId, contractIds }) => ({
          groupName: name,
          groupId: `grp_${id}`,
          ...(parentId === undefined ? {} : { parentGroupId: `grp_${parentId}` }),
          contractIds: contractIds.map((contractId) => `ctr_${contractId}`),
        })),
      },
    }),
  }),
  property_contracts_list: (_, world) => ({
    status: 200,
    body: shownTo(world, { accountId, contracts: { items: contractItems } }),
  }),
  property_products_list: ({ query }, world) => {
    checkPlace(world, query);
    const sold = contractOf(query.contractId)?.products.map(({ id }) => id) ?? [];
    const items = products
      .filter(({ soldAs }) => sold.includes(soldAs))
      .map(({ id, name }) => ({ productName: name, productId: id }));
    return { status: 200, body: shownTo(world, { accountId, contractId: query.contractId, products: { items } }) };
  },

  property_cpcodes_list: ({ query }, world) => {
    const owner = ownerOf(checkPlace(world, query));
    const items = [...stateOf(world).cpCodes.values()]
      .filter((one) => one.contractId === owner.contractId && one.groupId === owner.groupId)
      .map(cpCodeItem);
    return { status: 200, body: shownTo(world, { ...owner, cpcodes: { items } }) };
  },
  property_cpcode_create: ({ query, body }, world) => {
    const place = checkPlace(world, query);
    const product = productOf(body.productId);
    const id = `cpc_${world.next("cpcode", 700_001)}`;
    stateOf(world).cpCodes.set(id, {
      ...place,
      id,
      name: body.cpcodeName,
      productId: product.id,
      createdAtMs: world.now(),
    });
    const cpcodeLink = linkTo(`cpcodes/${id}`, place);
    return { status: 201, body: { cpcodeLink }, headers: { location: cpcodeLink } };
  },
  property_cpcode_get: ({ path, query }, world) => {
    const owner = ownerOf(checkPlace(world, query));
    const found = stateOf(world).cpCodes.get(path.cpcodeId);
    if (found?.contractId !== owner.contractId || found.groupId !== owner.groupId)
      throw notFound(`There is no CP code ${path.cpcodeId} here`);
    return { status: 200, body: shownTo(world, { ...owner, cpcodes: { items: [cpCodeItem(found)] } }) };
  },

  ...edgeHostnameBehaviours,

  property_rule_formats_list: () => ({ status: 200, body: { ruleFormats: { items: [...ruleFormats] } } }),
  property_request_schema_get: ({ path }) => {
    const schema = Object.hasOwn(bodySchemas, path.filename) ? bodySchemas[path.filename] : undefined;
    if (schema === undefined) throw notFound(`There is no schema ${path.filename}`);
    return { status: 200, body: { ...jsonSchemaOf(schema, "input"), $schema: draft, id: path.filename } };
  },
  property_rule_schema_get: ({ path }) => {
    if (!products.some(({ id }) => id === path.productId)) throw notFound(`There is no product ${path.productId}`);
    if (!ruleFormats.some((one) => one === path.ruleFormat)) throw notFound(`There is no format ${path.ruleFormat}`);
    const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { type: "object" }]));
    const catalog = { behaviors: named(behaviorNames), criteria: named(criterionNames) };
    return {
      status: 200,
      body: {
        $schema: draft,
        type: "object",
        required: ["rules"],
        properties: { rules: { type: "object" } },
        definitions: { catalog },
      },
    };
  },

  property_client_settings_get: (_, world) => ({ status: 200, body: { ...stateOf(world).settings } }),
  property_client_settings_update: ({ body }, world) => {
    if (!ruleFormats.some((one) => one === body.ruleFormat))
      throw refused("invalid-rule-format", `There is no rule format ${body.ruleFormat}`);
    stateOf(world).settings = { ...body };
    return { status: 200, body: { ...body } };
  },
  property_build_get: () => ({
    status: 200,
    body: {
      coreVersion: "17.2",
      currentCatalogVersion: "17.2.6",
      catalogGitInfo: { ...build, commitId: "59a193acdf26ba6de1522486411a749f19efde8c" },
      coreGitInfo: { ...build, commitId: "22163903cb91a62492dfce745aaa95de991b0653" },
    },
  }),
};
