/** The written part of the guide to media analytics. */
import type { Guide } from "../../language/guide.js";
import type { mediaAnalytics as service } from "./index.js";

export const mediaAnalytics = {
  purpose:
    "Use it to learn who watches, how well streams play and what is downloaded. A report pack belongs to one of four families and has dimensions and metrics in data stores; a query can only combine those of one store. Names can be given in place of ids, and a note names the store that served the query.",
  objects: {
    "report pack": "What can be reported about a set of streams: sources, dimensions, metrics, stores.",
    "data store": "Which dimensions and metrics go together, and how long they are kept.",
    data: "The rows of one query.",
    "viewer data": "The rows of one viewer.",
  },
  lives: [
    {
      of: "the data of a store",
      moves: [
        { to: "available", when: "plays are counted" },
        { from: "available", when: "the store's retention period has passed" },
      ],
    },
  ],
  limits: ["media-families", "media-page"],
} satisfies Guide<typeof service>;
