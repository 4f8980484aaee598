/** The IP allow list of the portal: blocks, and whether they decide who signs in. */
import { BlockList, isIP } from "node:net";
import { dayMs } from "../../../time/durations.js";
import { signIn as declared } from "../../../tools/sign-in/index.js";
import type { Call } from "../../behaviour.js";
import { type Authorship, authorshipAt, authorshipNow, withDates } from "../../primitives/authored.js";
import { Store } from "../../primitives/store.js";
import { badRequest, created, forbidden, noContent, ok } from "../../reply.js";
import { emulateService } from "../../service.js";
import type { World } from "../../world.js";
import { portalUser } from "../account.js";
import { errorFormat } from "../credentials/index.js";

type Body = Call<(typeof declared)["operations"]["signin_cidr_block_create"]>["body"];
type Block = Body & Authorship & { readonly cidrBlockId: number };

/** The address from which the user in use works: it is in the first block. */
const ownAddress = "203.0.113.200";

const stateOf = (world: World) =>
  world.state("ip allow list", () => {
    const seed = { enabled: true, ...authorshipAt(world.startedAtMs - 90 * dayMs, portalUser) };
    return {
      isOn: true,
      blocks: new Store<Block>("cidrBlockId", (id) => `There is no CIDR block ${id}`, [
        { cidrBlockId: 3001, cidrBlock: "203.0.113.0/24", comments: "Office", ...seed },
        { cidrBlockId: 3002, cidrBlock: "198.51.100.0/28", comments: "Agency", ...seed },
      ]),
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

/** Whether a block must stay, so that the list does not lock out the user in use. */
function isKept(world: World, block: Block): boolean {
  const { isOn, blocks } = stateOf(world);
  return isOn && (blocks.all.length === 1 || coversOwn(block));
}
const mayEdit = (world: World, block: Block): boolean => stateOf(world).isOn && !isKept(world, block);

function bodyOf(world: World, block: Block, hasActions: boolean | undefined) {
  const { cidrBlockId, comments, ...rest } = block;
  return {
    cidrBlockId,
    ...withDates(rest),
    ...(comments && { comments }),
    ...(hasActions && { actions: { delete: !isKept(world, block), edit: mayEdit(world, block) } }),
  };
}

export const signIn = emulateService(declared, errorFormat, {
  signin_allowlist_status: (_, world) => ok({ enabled: stateOf(world).isOn }),
  signin_allowlist_activate: (_, world) => {
    if (stateOf(world).blocks.all.length === 0) throw badRequest("The allow list cannot be empty");
    stateOf(world).isOn = true;
    return noContent();
  },
  signin_allowlist_deactivate: (_, world) => {
    stateOf(world).isOn = false;
    return noContent();
  },
  signin_cidr_blocks_list: ({ query }, world) =>
    ok(stateOf(world).blocks.all.map((block) => bodyOf(world, block, query.actions))),
  signin_cidr_block_create: ({ body }, world) => {
    checkCidr(body.cidrBlock);
    const block = { ...body, cidrBlockId: world.next("cidr block", 3_101), ...authorshipNow(world) };
    return created(bodyOf(world, stateOf(world).blocks.add(block), true));
  },
  signin_cidr_block_get: ({ path, query }, world) =>
    ok(bodyOf(world, stateOf(world).blocks.find(path.cidrBlockId), query.actions)),
  signin_cidr_block_update: ({ path: { cidrBlockId }, body }, world) => {
    const { blocks } = stateOf(world);
    const former = blocks.find(cidrBlockId);
    checkCidr(body.cidrBlock);
    if (!mayEdit(world, former)) throw forbidden("This block cannot be changed now");
    return ok(bodyOf(world, blocks.add({ ...body, cidrBlockId, ...authorshipNow(world, former) }), true));
  },
  signin_cidr_block_delete: ({ path: { cidrBlockId } }, world) => {
    const { blocks } = stateOf(world);
    if (isKept(world, blocks.find(cidrBlockId)))
      throw forbidden("This block cannot be deleted while the allow list is on");
    blocks.delete(cidrBlockId);
    return noContent();
  },
  signin_cidr_block_check: ({ query }) => {
    checkCidr(query.cidrblock);
    return noContent();
  },
});
