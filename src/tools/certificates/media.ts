/** The media types of the certificate service: each entity in its versions, of which an argument selects one. */
import { chosenBy, json, type Media } from "../../language/define.js";
import type { z } from "../../language/z.js";

/** The medium of an entity in one version, such as `csr` in `v2`. */
export const entityMedium = <S extends z.ZodType>(name: string, version: string, schema: S) =>
  json(schema, `application/vnd.<vendor>.cps.${name}.${version}+json`);

/** An entity in several versions with one schema; the first is the default. */
const entityMedia = <S extends z.ZodType>(name: string, versions: readonly string[], schema: S) =>
  Object.fromEntries(versions.map((version) => [version, entityMedium(name, version, schema)])) as Record<
    string,
    Media<ReturnType<typeof entityMedium<S>>["schema"]>
  >;

/** The versions of enrollments, the documents' own first (document B; the others by public facts B, 1.1). */
export const enrollmentVersions = ["v4", "v1", "v2", "v3", "v5", "v6", "v7", "v8", "v9", "v10", "v11"] as const;
const deploymentVersions = ["v7", "v6", "v5", "v4", "v3", "v2", "v1"];
const changeVersions = ["v2", "v1"];

const versioned = <S extends z.ZodType>(name: string, versions: readonly string[], schema: S) =>
  chosenBy("version", entityMedia(name, versions, schema));

export const enrollments = <S extends z.ZodType>(schema: S) => versioned("enrollments", enrollmentVersions, schema);
export const enrollmentMedia = <S extends z.ZodType>(schema: S) => versioned("enrollment", enrollmentVersions, schema);
export const deployments = <S extends z.ZodType>(schema: S) => versioned("deployments", deploymentVersions, schema);
export const deploymentMedia = <S extends z.ZodType>(schema: S) => versioned("deployment", deploymentVersions, schema);
export const changeMedia = <S extends z.ZodType>(schema: S) => versioned("change", changeVersions, schema);
