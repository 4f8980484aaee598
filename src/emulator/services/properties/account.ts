/** What emulated properties refer to: groups, contracts, CP codes, schemas, and the settings of the client. */
import { mediaList } from "../../../language/media.js";
import type { z } from "../../../language/z.js";
import { jsonSchemaOf } from "../../../schema/json-schema.js";
import { accountOperations } from "../../../tools/properties/account.js";
import { created, notFound, ok } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import { instant } from "../../values.js";
import { account } from "../account.js";
import { groupsOf } from "../groups.js";
import { checkFormat } from "./content.js";
import { edgeHostnameBehaviours } from "./edge-hostnames.js";
import { accountId, checkPlace, contractItems, contractOf, linkTo, ownerOf, productOf } from "./lookup.js";
import { behaviorNames, criterionNames } from "./validation.js";
import { type PropertyCpCode, products, ruleFormats, stateOf } from "./world.js";

const cpCodeItem = ({ id, name, productId, createdAtMs }: PropertyCpCode) => ({
  cpcodeId: id,
  cpcodeName: name,
  productIds: [productId],
  createdDate: instant(createdAtMs),
});

const draft = "http://json-schema.org/draft-04/schema#";
const { property_cpcode_create, property_edge_hostname_create } = accountOperations;
const bodySchemas: Readonly<Record<string, z.ZodType | undefined>> = {
  "CreateNewCpcodeRequestV0.json": mediaList(property_cpcode_create.spec.body)[0]?.schema,
  "CreateNewEdgeHostnameRequestV0.json": mediaList(property_edge_hostname_create.spec.body)[0]?.schema,
};
const build = { buildDate: "2017-05-26T23:56:21Z", commitDate: "2017-05-26T23:55:53Z", branch: "candidate-17.2" };

export const accountBehaviours: BehavioursOf<typeof accountOperations> = {
  property_groups_list: (_, world) =>
    ok({
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
  property_contracts_list: () => ok({ accountId, contracts: { items: contractItems } }),
  property_products_list: ({ query }, world) => {
    checkPlace(world, query);
    const sold = contractOf(query.contractId)?.products.map(({ id }) => id) ?? [];
    const items = products
      .filter(({ soldAs }) => sold.includes(soldAs))
      .map(({ id, name }) => ({ productName: name, productId: id }));
    return ok({ accountId, contractId: query.contractId, products: { items } });
  },

  property_cpcodes_list: ({ query }, world) => {
    const owner = ownerOf(checkPlace(world, query));
    const items = [...stateOf(world).cpCodes.values()]
      .filter((one) => one.contractId === owner.contractId && one.groupId === owner.groupId)
      .map(cpCodeItem);
    return ok({ ...owner, cpcodes: { items } });
  },
  property_cpcode_create: ({ query, body }, world) => {
    const place = checkPlace(world, query);
    const product = productOf(body.productId);
    const id = `cpc_${world.next("cpcode", 700_001)}`;
    const named = { name: body.cpcodeName, productId: product.id };
    stateOf(world).cpCodes.set(id, { ...place, id, ...named, createdAtMs: world.now() });
    const cpcodeLink = linkTo(`cpcodes/${id}`, place);
    return created({ cpcodeLink }, { location: cpcodeLink });
  },
  property_cpcode_get: ({ path, query }, world) => {
    const owner = ownerOf(checkPlace(world, query));
    const found = stateOf(world).cpCodes.get(path.cpcodeId);
    if (found?.contractId !== owner.contractId || found.groupId !== owner.groupId)
      throw notFound(`There is no CP code ${path.cpcodeId} here`);
    return ok({ ...owner, cpcodes: { items: [cpCodeItem(found)] } });
  },

  ...edgeHostnameBehaviours,

  property_rule_formats_list: () => ok({ ruleFormats: { items: [...ruleFormats] } }),
  property_request_schema_get: ({ path }) => {
    const schema = Object.hasOwn(bodySchemas, path.filename) ? bodySchemas[path.filename] : undefined;
    if (schema === undefined) throw notFound(`There is no schema ${path.filename}`);
    return ok({ ...jsonSchemaOf(schema, "input"), $schema: draft, id: path.filename });
  },
  property_rule_schema_get: ({ path }) => {
    if (!products.some(({ id }) => id === path.productId)) throw notFound(`There is no product ${path.productId}`);
    if (!ruleFormats.some((one) => one === path.ruleFormat)) throw notFound(`There is no format ${path.ruleFormat}`);
    const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { type: "object" }]));
    const catalog = { behaviors: named(behaviorNames), criteria: named(criterionNames) };
    return ok({
      $schema: draft,
      type: "object",
      required: ["rules"],
      properties: { rules: { type: "object" } },
      definitions: { catalog },
    });
  },

  property_client_settings_get: (_, world) => ok({ ...stateOf(world).settings }),
  property_client_settings_update: ({ body }, world) => {
    checkFormat(body.ruleFormat);
    stateOf(world).settings = { ...body };
    return ok({ ...body });
  },
  property_build_get: () =>
    ok({
      coreVersion: "17.2",
      currentCatalogVersion: "17.2.6",
      catalogGitInfo: { ...build, commitId: "59a193acdf26ba6de1522486411a749f19efde8c" },
      coreGitInfo: { ...build, commitId: "22163903cb91a62492dfce745aaa95de991b0653" },
    }),
};
