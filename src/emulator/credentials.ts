/** The emulator's own credentials: public, so that any client can sign requests to it, and of no use anywhere else. */
export const demoCredentials = {
  host: "emulator.invalid",
  clientToken: "akab-public-emulator-client-token",
  clientSecret: "cHVibGljLWVtdWxhdG9yLXNlY3JldC1ub3Qtb25l",
  accessToken: "akab-public-emulator-access-token",
  basicUsername: "emulator",
  basicPassword: "public-password",
  bearerToken: "public-emulator-bearer-token",
  place: "the emulator",
  warnings: [],
} as const;
