/** The log-delivery service: sources and parameters to choose from, configurations with a status, redeliveries. */
import { logDelivery as declared } from "../../../tools/log-delivery/index.js";
import { badRequest, created, type ErrorFormat, ok } from "../../reply.js";
import { emulateService } from "../../service.js";
import {
  encodingsFor,
  formatsFor,
  parameterBodies,
  parameterBody,
  sourceAt,
  sourceBody,
  sourcesOf,
} from "./choices.js";
import {
  addConfiguration,
  addRedelivery,
  configurationBody,
  configurationIn,
  configurationOf,
  configurationsAt,
  configurationsOf,
  earliestStart,
  redeliveryBody,
  replaceContent,
  stateOf,
} from "./configurations.js";

/** The service's own error format (public facts C, 4); no value of `code` is public. */
const errorFormat: ErrorFormat = ({ status, title, detail, extras: { field } }, _, world) => {
  const code = title.toLowerCase().replaceAll(" ", ".");
  const incidentId = world.next("log delivery incident", 0x7000_0000).toString(16);
  const details = [{ code, message: detail, data: field === undefined ? {} : { action: `Correct ${field}` } }];
  return { type: "application/json", body: { code, title, status, incidentId, details } };
};

const done = ok(undefined);

export const logDelivery = emulateService(declared, errorFormat, {
  log_sources_list: (_, world) => ok(sourcesOf(world).map(sourceBody)),
  log_type_sources_list: ({ path }, world) =>
    ok(
      sourcesOf(world)
        .filter(({ type }) => type === path.logSourceType)
        .map(sourceBody),
    ),
  log_source_get: ({ path }, world) => ok(sourceBody(sourceAt(world, path.logSourceType, path.logSourceId))),
  log_type_configurations_list: ({ path }, world) =>
    ok(
      configurationsOf(world)
        .filter(({ source }) => source.type === path.logSourceType)
        .map((one) => configurationBody(world, one)),
    ),
  log_source_configurations_list: ({ path }, world) =>
    ok(
      configurationsAt(world, sourceAt(world, path.logSourceType, path.logSourceId)).map((one) =>
        configurationBody(world, one),
      ),
    ),
  log_type_formats_list: ({ path }) => ok(parameterBodies("log-formats", formatsFor(path.logSourceType))),
  log_source_formats_list: ({ path }, world) => {
    const { type, products } = sourceAt(world, path.logSourceType, path.logSourceId);
    return ok(parameterBodies("log-formats", formatsFor(type, products)));
  },
  log_type_encodings_list: ({ path, query }) =>
    ok(parameterBodies("encodings", encodingsFor(query.deliveryType, path.logSourceType))),

  log_delivery_frequencies_list: () => ok(parameterBodies("delivery-frequencies")),
  log_delivery_frequency_get: ({ path }) => ok(parameterBody("delivery-frequencies", path.deliveryFrequencyId)),
  log_delivery_thresholds_list: () => ok(parameterBodies("delivery-thresholds")),
  log_delivery_threshold_get: ({ path }) => ok(parameterBody("delivery-thresholds", path.deliveryThresholdId)),
  log_format_get: ({ path }) => ok(parameterBody("log-formats", path.logFormatId)),
  log_encodings_list: ({ query }) =>
    ok(parameterBodies("encodings", encodingsFor(query.deliveryType, query.logSourceType))),
  log_encoding_get: ({ path, query }) => {
    const possible = encodingsFor(query.deliveryType, query.logSourceType);
    return ok(parameterBody("encodings", path.encodingId, possible));
  },
  log_message_sizes_list: () => ok(parameterBodies("message-sizes")),
  log_message_size_get: ({ path }) => ok(parameterBody("message-sizes", path.messageSizeId)),
  log_contacts_list: () => ok(parameterBodies("contacts")),
  log_contact_get: ({ path }) => ok(parameterBody("contacts", path.contactId)),

  log_configuration_get: ({ path }, world) =>
    ok(configurationBody(world, configurationOf(world, path.logConfigurationId))),
  log_configuration_create: ({ path, body }, world) =>
    created(undefined, addConfiguration(world, sourceAt(world, path.logSourceType, path.logSourceId), body)),
  log_configuration_replace: ({ path, body }, world) => {
    const { logSource, ...content } = body;
    const configuration = configurationOf(world, path.logConfigurationId);
    const { type, id } = configuration.source;
    if (logSource !== undefined && (logSource.id !== id || logSource.type !== type))
      throw badRequest(`The log configuration is of ${type} ${id}`, { field: "logSource.id" });
    return ok(undefined, replaceContent(world, configuration, content));
  },
  log_configuration_delete: ({ path }, world) => {
    configurationOf(world, path.logConfigurationId).deletedAtMs = world.now();
    return done;
  },
  log_configuration_copy: ({ path, body }, world) => {
    const { content } = configurationOf(world, path.logConfigurationId);
    const { type, id } = body.copyTarget.logSource;
    const { endDate, ...lasting } = content;
    const startDate = earliestStart(world);
    // A copy starts when it can; an end that is over would leave nothing of it.
    const ends = endDate && endDate >= startDate ? { endDate } : {};
    return created(undefined, addConfiguration(world, sourceAt(world, type, id), { ...lasting, ...ends, startDate }));
  },
  log_configuration_suspend: ({ path }, world) => {
    configurationIn(world, path.logConfigurationId, "active").suspensions.push({ fromAtMs: world.now() });
    return done;
  },
  log_configuration_resume: ({ path }, world) => {
    const last = configurationIn(world, path.logConfigurationId, "suspended").suspensions.at(-1);
    if (last) last.toAtMs = world.now();
    return done;
  },

  log_redeliveries_list: (_, world) => ok(stateOf(world).redeliveries.all.map((one) => redeliveryBody(world, one))),
  log_redelivery_create: ({ body }, world) => created(undefined, addRedelivery(world, body)),
  log_redelivery_get: ({ path }, world) =>
    ok(redeliveryBody(world, stateOf(world).redeliveries.find(path.redeliveryId))),
});
