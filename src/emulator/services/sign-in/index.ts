/** The IP allow list of the portal: blocks, and whether they decide who signs in. */
import { BlockList, isIP } from "node:net";
import { dayMs } from "../../../language/durations.js";
import { signIn as declared } from "../../../tools/sign-in/index.js";
import { othersIn } from "../../others.js";
import { type Authored, authored, touch } from "../../primitives/authored.js";
import { byId } from "../../primitives/store.js";
import { badRequest, created, forbidden, noContent, ok, orNotFound } from "../../reply.js";
import { emulated } from "../../service.js";
import type { World } from "../../world.js";
import { portalUser } from "../account.js";
import { errorFormat } from "../credentials/index.js";

interface Block extends Authored {
  readonly id: number;
  cidrBlock: string;
  comments: string;
  enabled: boolean;
  /** Members that were written but are not declared. */
  others?: object;
}

/** The address from which the user in use works: it is in the first block. */
const ownAddress = "203.0.113.200";

const stateOf = (world: World) =>
  world.state("ip allow list", () => {
    const block = (id: number, cidrBlock: string, comments: string): Block => ({
      ...{ id, cidrBlock, comments, enabled: true },
      ...authored(world.startedAtMs - 90 * dayMs, portalUser),
    });
    return {
      isOn: true,
      blocks: byId([block(3001, "203.0.113.0/24", "Office"), block(3002, "198.51.100.0/28", "Agency")]),
    };
  });

/** Refuses a text that is no address and no CIDR block. */
function checkCidr(text: string): void {
  const [address = "", length, ...rest] = text.split("/");
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  const isLength = length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (bits ?? 0));
  if (bits === undefined || !isLength || rest.length > 0)
    throw badRequest(`${text} is no CIDR block`, { field: "cidrBlock", value: text });
}

function coversOwn({ cidrBlock }: Block): boolean {
  const [address = "", length] = cidrBlock.split("/");
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  const list = new BlockList();
  list.addSubnet(address, Number(length ?? (family === "ipv6" ? 128 : 32)), family);
  return list.check(ownAddress, "ipv4");
}

const isKept = (world: World, block: Block): boolean => {
  const { isOn, blocks } = stateOf(world);
  return isOn && (blocks.size === 1 || coversOwn(block));
};
const mayEdit = (world: World, block: Block): boolean => stateOf(world).isOn && !isKept(world, block);

function bodyOf(world: World, block: Block, withActions: boolean | undefined) {
  const { id, cidrBlock, comments, enabled, createdBy, createdAtMs, modifiedBy, modifiedAtMs, others } = block;
  return {
    ...others,
    ...{ cidrBlockId: id, cidrBlock, enabled, createdBy, modifiedBy },
    ...(comments === "" ? {} : { comments }),
    createdDate: new Date(createdAtMs).toISOString(),
    modifiedDate: new Date(modifiedAtMs).toISOString(),
    ...(withActions ? { actions: { delete: !isKept(world, block), edit: mayEdit(world, block) } } : {}),
  };
}
const blockOf = (world: World, id: number): Block =>
  orNotFound(stateOf(world).blocks.get(id), `There is no CIDR block ${id}`);

export const signIn = emulated(declared, errorFormat, {
  signin_allowlist_status: (_, world) => ok({ enabled: stateOf(world).isOn }),
  signin_allowlist_activate: (_, world) => {
    if (stateOf(world).blocks.size === 0) throw badRequest("The allow list cannot be empty");
    stateOf(world).isOn = true;
    return noContent();
  },
  signin_allowlist_deactivate: (_, world) => {
    stateOf(world).isOn = false;
    return noContent();
  },
  signin_cidr_blocks_list: ({ query }, world) =>
    ok([...stateOf(world).blocks.values()].map((block) => bodyOf(world, block, query.actions))),
  signin_cidr_block_create: ({ body }, world) => {
    checkCidr(body.cidrBlock);
    const { cidrBlock, enabled } = body;
    const comments = body.comments ?? "";
    const block: Block = {
      id: world.next("cidr block", 3_101),
      cidrBlock,
      enabled,
      comments,
      ...authored(world.now()),
    };
    block.others = othersIn(declared.operations.signin_cidr_block_create, body);
    stateOf(world).blocks.set(block.id, block);
    return created(bodyOf(world, block, true));
  },
  signin_cidr_block_get: ({ path, query }, world) => ok(bodyOf(world, blockOf(world, path.cidrBlockId), query.actions)),
  signin_cidr_block_update: ({ path, body }, world) => {
    const block = blockOf(world, path.cidrBlockId);
    checkCidr(body.cidrBlock);
    if (!mayEdit(world, block)) throw forbidden("This block cannot be changed now");
    const { cidrBlock, enabled } = body;
    const comments = body.comments ?? "";
    Object.assign(block, { cidrBlock, enabled, comments });
    block.others = othersIn(declared.operations.signin_cidr_block_update, body);
    touch(world, block);
    return ok(bodyOf(world, block, true));
  },
  signin_cidr_block_delete: ({ path }, world) => {
    const block = blockOf(world, path.cidrBlockId);
    if (isKept(world, block)) throw forbidden("This block cannot be deleted while the allow list is on");
    stateOf(world).blocks.delete(block.id);
    return noContent();
  },
  signin_cidr_block_check: ({ query }) => {
    checkCidr(query.cidrblock);
    return noContent();
  },
});
