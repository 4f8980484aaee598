/** What document C and the public facts say of log delivery, in the form of the oracle's tables. */

const root = "/lds-api/v3";
const parameters = `${root}/log-configuration-parameters`;
const configuration = `${root}/log-configurations/{logConfigurationId}`;
const sources = `${root}/log-sources/{logSourceType}`;
const configurations = `${sources}/{logSourceId}/log-configurations`;

export const logQueries: Readonly<Record<string, string>> = {
  [`GET ${parameters}/encodings`]: "deliveryType logSourceType",
  [`GET ${parameters}/encodings/{encodingId}`]: "deliveryType logSourceType",
  [`GET ${sources}/encodings`]: "deliveryType",
};

const written =
  "startDate* endDate contactDetails* logFormatDetails* messageSize* aggregationDetails* encodingDetails* deliveryDetails*";
export const logBodies: Readonly<Record<string, string>> = {
  [`POST ${configurations}`]: written,
  [`POST ${configurations} contactDetails`]: "contact* mailAddresses",
  [`POST ${configurations} logFormatDetails`]: "logFormat* logIdentifier",
  [`POST ${configurations} messageSize`]: "id*",
  [`POST ${configurations} encodingDetails`]: "encoding* encodingKey",
  [`PUT ${configuration}`]: `${written} logSource`,
  [`PUT ${configuration} logSource`]: "id* type*",
  [`POST ${configuration}/copy`]: "copyTarget*",
  [`POST ${configuration}/copy copyTarget`]: "logSource*",
  [`POST ${root}/log-redeliveries`]: "logConfiguration* redeliveryDate* beginTime endTime",
  [`POST ${root}/log-redeliveries logConfiguration`]: "id*",
};

// No source shows the status of a change.
const anySuccess = "200? 201? 202? 204?";
export const logStatuses: Readonly<Record<string, string>> = Object.fromEntries(
  [
    `POST ${configurations}`,
    `PUT ${configuration}`,
    `DELETE ${configuration}`,
    `POST ${configuration}/copy`,
    `POST ${configuration}/suspend`,
    `POST ${configuration}/resume`,
    `POST ${root}/log-redeliveries`,
  ].map((route) => [route, anySuccess]),
);

export const logEnumerations: Readonly<Record<string, string>> = {
  logSourceType: "cpcode-products gtm edns answerx etp",
  deliveryType: "email ftp httpsns4",
};
