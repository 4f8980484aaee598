/** Makes Node say that it is an older one, since the tests have only one Node to run on. */
Object.defineProperty(process, "version", { value: "v20.18.3" });
