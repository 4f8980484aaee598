/** How a certificate to come differs from the one on production, in what a person reads before it is deployed. */
import { expect, it } from "vitest";
import { lineTexts } from "../../../src/language/difference-lines.js";
import { inputGuard } from "../../../src/tools/certificates/change-guards.js";

const pem = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
// Two that were made for this test: both name www.shop.example, one old.shop.example besides, the other new.shop.example.
const old = pem(`MIIBuzCCAWKgAwIBAgIUD1CPixQxl1HVjbwxIi4U5f9JKfQwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQd3d3LnNob3AuZXhhbXBsZTAeFw0yNjExMjIxODEyNTNaFw0z
NjExMTkxODEyNTNaMBsxGTAXBgNVBAMMEHd3dy5zaG9wLmV4YW1wbGUwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAAS9QTGF4AY9y+CnsfCnG4CtwlZPtadMNufk/YmM
agsbSil3W+354Q8BSQuwwTurhchriWJCdOBEJdZDa2KQR2Eio4GDMIGAMB0GA1Ud
DgQWBBRVa/6MMfVeP2V6UCCsp5yG3UeTnjAfBgNVHSMEGDAWgBRVa/6MMfVeP2V6
UCCsp5yG3UeTnjAPBgNVHRMBAf8EBTADAQH/MC0GA1UdEQQmMCSCEHd3dy5zaG9w
LmV4YW1wbGWCEG9sZC5zaG9wLmV4YW1wbGUwCgYIKoZIzj0EAwIDRwAwRAIgSQzS
tcBfr9bvl75C7zKPaDSq5CgpES2OBmR537FWpHYCIACNl3AWB6sznv0v2LmBeRLo
VswwNvE0kL+6SV8waEQI`);
const renewed = pem(`MIIBvDCCAWKgAwIBAgIUNlrP4F9qfPOs8hDxG2qewO4x9ZswCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQd3d3LnNob3AuZXhhbXBsZTAeFw0yNjExMjIxODEyNTNaFw0z
NzEwMjUxODEyNTNaMBsxGTAXBgNVBAMMEHd3dy5zaG9wLmV4YW1wbGUwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAAS4Pxgs3iAWEKrLR0iX1njEhgoIKj43f4clU6H6
C1mWN9XhLkxROD7IlCJjH9ARXNE2AcuAPYO73Xb1drl9uWyDo4GDMIGAMB0GA1Ud
DgQWBBQgi3aND+mATCB4xHuJnPVL1xTEhjAfBgNVHSMEGDAWgBQgi3aND+mATCB4
xHuJnPVL1xTEhjAPBgNVHRMBAf8EBTADAQH/MC0GA1UdEQQmMCSCEHd3dy5zaG9w
LmV4YW1wbGWCEG5ldy5zaG9wLmV4YW1wbGUwCgYIKoZIzj0EAwIDSAAwRQIhAIoe
qQduI22t1p++QUfzMZEq+LR77EUO51NWmFuYx6QGAiAVTMRkC5XVphXSyhnSK7oq
ll/YbzVOCXx6Onk70vfbbg==`);

const linesOf = (production: object | undefined, present: object, acknowledgement = "acknowledge") =>
  lineTexts(
    inputGuard.compares?.(
      { enrollmentId: 1, changeId: 2, allowedInputTypeParam: "change-management-ack", body: { acknowledgement } },
      present,
      { enrollment: { csr: { cn: "www.shop.example", sans: ["shop.example"] } }, deployed: { production } },
    ) ?? [],
  );
const pending = (fullCertificate: string, secureNetwork = "enhanced-tls") => ({
  pendingState: {
    pendingCertificates: [{ fullCertificate }],
    pendingNetworkConfiguration: { secureNetwork, networkType: null },
  },
});
const deployed = (certificate: string) => ({
  primaryCertificate: { certificate, expiry: "2036-11-19T18:12:53Z" },
  networkConfiguration: { secureNetwork: "enhanced-tls", geography: "core" },
});

it("a new certificate: its names, its expiry and its settings compared", () => {
  expect(linesOf(deployed(old), pending(renewed, "standard-tls"))).toEqual([
    "Compared with the certificate on PRODUCTION, which is replaced:",
    "- name old.shop.example",
    "+ name new.shop.example",
    "validUntil: 2036-11-19T18:12:53Z → 2037-10-25T18:12:53Z",
    "secureNetwork: enhanced-tls → standard-tls",
  ]);
  expect(linesOf(deployed(old), pending(old))[1]).toBe("The names and the settings are the same.");
});

it("a new certificate where none is deployed, or none can be read", () => {
  expect(linesOf(undefined, pending(renewed))).toEqual([
    "No certificate is on PRODUCTION now, so all of it is new there:",
    "+ name www.shop.example",
    "+ name new.shop.example",
    "It is valid until 2037-10-25T18:12:53Z.",
  ]);
  expect(linesOf(deployed("no certificate"), pending("none either"))).toEqual([
    "Compared with the certificate on PRODUCTION, which is replaced:",
    "No setting differs.",
    "The names of the present certificate could not be read from it; the new one has www.shop.example, shop.example.",
    "The present one is valid until 2036-11-19T18:12:53Z.",
  ]);
});

it("a denied change of a certificate compares nothing", () => {
  expect(linesOf(deployed(old), pending(renewed), "deny")).toEqual([]);
});
