/** Golden exchanges of log delivery: a body of variants, a Location without a body, a POST of nothing, choices by query. */
import type { GoldenText } from "./goldens.js";

const json = "application/json";
const root = "/lds-api/v3";

export const logDeliveryGoldens: readonly GoldenText[] = [
  {
    name: "a configuration whose variants have members of their own, answered with where it is",
    tool: "log_configuration_create",
    args: {
      logSourceType: "cpcode-products",
      logSourceId: "12346-1",
      body: {
        startDate: "2098-02-18",
        contactDetails: { contact: { id: "1-C30O" }, mailAddresses: ["a@shop.example"] },
        logFormatDetails: { logFormat: { id: "2" }, logIdentifier: "daily" },
        messageSize: { id: "3" },
        aggregationDetails: { type: "byHitTime", deliverResidualData: true, deliveryThreshold: { id: "1" } },
        encodingDetails: { encoding: { id: "4" }, encodingKey: "KEY" },
        deliveryDetails: { type: "ftp", machine: "logs.shop.example", login: "edge", password: "p w", directory: "/l" },
      },
    },
    request: `POST ${root}/log-sources/cpcode-products/12346-1/log-configurations`,
    accept: json,
    body: '{"startDate":"2098-02-18","contactDetails":{"contact":{"id":"1-C30O"},"mailAddresses":["a@shop.example"]},"logFormatDetails":{"logFormat":{"id":"2"},"logIdentifier":"daily"},"messageSize":{"id":"3"},"aggregationDetails":{"type":"byHitTime","deliveryThreshold":{"id":"1"},"deliverResidualData":true},"encodingDetails":{"encoding":{"id":"4"},"encodingKey":"KEY"},"deliveryDetails":{"type":"ftp","machine":"logs.shop.example","login":"edge","password":"p w","directory":"/l"}}',
    answer: { status: 201, location: "«text»" },
  },
  {
    name: "a copy that names where it goes",
    tool: "log_configuration_copy",
    args: {
      logConfigurationId: "163842",
      body: { copyTarget: { logSource: { id: "12346-1", type: "cpcode-products" } } },
    },
    request: `POST ${root}/log-configurations/163842/copy`,
    accept: json,
    body: '{"copyTarget":{"logSource":{"id":"12346-1","type":"cpcode-products"}}}',
    answer: { status: 201, location: "«text»" },
  },
  {
    name: "a POST without a body, answered with none",
    tool: "log_configuration_suspend",
    args: { logConfigurationId: 163_842 },
    request: `POST ${root}/log-configurations/163842/suspend`,
    accept: json,
    answer: { status: 200 },
  },
  {
    name: "the encodings of a type of source, by the kind of delivery",
    tool: "log_encodings_list",
    args: { deliveryType: "httpsns4", logSourceType: "etp" },
    request: `GET ${root}/log-configuration-parameters/encodings?deliveryType=httpsns4&logSourceType=etp`,
    answer: {
      status: 200,
      body: '[{"id":"4","value":"GPG","links":[{"rel":"self","href":"«text»"},{"rel":"encodings","href":"«text»"}]}]',
    },
  },
  {
    name: "a redelivery by the id of its configuration, which may be a number",
    tool: "log_redelivery_create",
    args: {
      body: { logConfiguration: { id: 163_842 }, redeliveryDate: "2021-02-18", beginTime: 0, endTime: 24 },
      override: ["clock"],
    },
    request: `POST ${root}/log-redeliveries`,
    accept: json,
    body: '{"logConfiguration":{"id":163842},"redeliveryDate":"2021-02-18","beginTime":0,"endTime":24}',
    answer: { status: 201, location: "«text»" },
    isEmulated: false,
  },
];
