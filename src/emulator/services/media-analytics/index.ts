/** The media analytics service: the account's report packs, and what the viewers of its streams did. */
import { mediaAnalytics as declared } from "../../../tools/media-analytics/index.js";
import { findIn } from "../../primitives/store.js";
import { ok, usualErrorFormat } from "../../reply.js";
import { emulateService } from "../../service.js";
import type { World } from "../../world.js";
import { subjectsOf } from "./audience.js";
import { type MediaDataStore, type MediaFamily, type MediaPack, packsOf } from "./catalogue.js";
import { dataOf } from "./data.js";

const packOf = ({
  family,
  reportPackId: id,
}: {
  readonly family: MediaFamily;
  readonly reportPackId: number;
}): MediaPack => findIn(packsOf(family), { id }, `There is no report pack ${id} of ${family}`);

const listed = ({ id, name, subType }: MediaPack) => {
  return { id, name, isActive: true, type: "internal", subType, timezone: "GMT" };
};

/** What a report pack has data of; several subjects can be of one, because each viewer's sessions are counted apart. */
const sourcesOf = (world: World, { subjects }: MediaPack) => [
  ...new Map(subjectsOf[subjects](world).map(({ id, name }) => [id, { id: Number(id), name }])).values(),
];

const storeBody = (store: MediaDataStore) => ({ ...store, type: "STANDARD" });

const answering = emulateService(declared, usualErrorFormat, {
  media_report_packs_list: ({ path }) => ok(packsOf(path.family).map(listed)),

  media_report_pack_get: ({ path }, world) => {
    const pack = packOf(path);
    return ok({
      ...listed(pack),
      dataSources: sourcesOf(world, pack),
      dimensions: [...new Set(pack.dataStores.flatMap(({ dimensions }) => dimensions))],
      metrics: [...new Set(pack.dataStores.flatMap(({ metrics }) => metrics))],
      filters: null,
      dataStores: pack.dataStores.map(({ id, name, description }) => ({ id, name, type: "STANDARD", description })),
    });
  },

  media_data_stores_list: ({ path }) => ok(packOf(path).dataStores.map(storeBody)),

  media_data_store_get: ({ path }) => {
    const { dataStoreId: id, reportPackId } = path;
    const missing = `There is no data store ${id} of report pack ${reportPackId}`;
    return ok(storeBody(findIn(packOf(path).dataStores, { id }, missing)));
  },

  media_data_sources_list: ({ path }, world) => ok(sourcesOf(world, packOf(path))),

  media_data_get: ({ path, query }, world) => ok(dataOf(world, packOf(path), query)),

  media_viewer_data_get: ({ path, query }, world) => {
    const pack = packOf({ family: "viewer-diagnostics", reportPackId: path.reportPackId });
    return ok(dataOf(world, pack, query, path.viewerId));
  },
});

/** The two reports that run on the same back end allow 5 and 20 requests a minute (public facts C, 5); here each call takes two. */
export const mediaAnalytics = { ...answering, requestsPerMinute: 60 };
