/** What document C and the public facts say of the live-streaming operations, in the form of the oracle's tables. */

const root = "/config-media-live/v1/live";
const domain = `${root}/{domain}`;
const stream = `${domain}/stream/{streamId}`;
const event = `${stream}/event/{eventName}`;
const version = `${domain}/version/{versionId}`;

export const liveQueries: Readonly<Record<string, string>> = { [`PUT ${version}/activation`]: "environment*" };

const streamElements =
  "stream-type* stream-name* primary-contact-name secondary-contact-name notification-email encoder-settings dvr-settings";
export const liveBodies: Readonly<Record<string, string>> = {
  [`POST ${root}`]:
    "configuration-details* archive-configuration* advanced-configuration fms-backup-option domain-versions",
  [`POST ${root} configuration-details`]:
    "configuration-name* hostname* reporting-cpcode* configuration-type access-control-group",
  [`POST ${root} archive-configuration`]: "archive-name archive-cpcode* dvr-path archive-storage-location",
  [`POST ${root} domain-versions`]: "domain-version*",
  [`POST ${domain}/stream`]: streamElements,
  [`POST ${domain}/stream encoder-settings`]: "primary-encoder-ip backup-encoder-ip password",
  [`POST ${domain}/stream dvr-settings`]: "dvr* dvr-window",
  [`PUT ${stream}`]: streamElements,
  [`PUT ${event}`]: "event-name primary-event backup-event",
  [`PUT ${event} primary-event`]: "archive-start-time archive-end-time on-air-time off-air-time delete-time",
  [`POST ${domain}/version`]: "delivery-formats security advanced-configuration hd-client-support-information author",
  [`POST ${domain}/version delivery-formats`]: "hd-flash-1.0 adobe-hds apple-hls",
  [`POST ${domain}/version security`]: "hd-flash securehd-policy-editor",
  [`POST ${domain}/version advanced-configuration`]:
    "adobe-hds-advanced-config hd-flash-advanced-config apple-hls-advanced-config",
};

export const liveStatuses: Readonly<Record<string, string>> = {
  [`DELETE ${domain}`]: "200 204?",
  [`POST ${domain}/stream`]: "200 201?",
  [`PUT ${stream}`]: "200 204?",
  [`DELETE ${stream}`]: "200 204?",
  [`PUT ${event}`]: "200 204?",
  [`DELETE ${event}`]: "200 204?",
  [`POST ${domain}/version`]: "200? 201?",
  [`PUT ${version}/activation`]: "200? 202?",
};

export const liveEnumerations: Readonly<Record<string, string>> = {
  "live_domain_create advanced-configuration": "Enabled Disabled",
  "live_domain_create fms-backup-option": "Enabled Disabled",
  "live_version_activate environment": "Production Staging",
};

/** The elements of a configuration in the order of document C's table, and of a version in that of its row. */
export const domainOrder = [
  "configuration-details",
  "archive-configuration",
  "advanced-configuration",
  "fms-backup-option",
  "domain-versions",
];
