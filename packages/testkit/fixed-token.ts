import type { TokenSource } from '../fhir-http/fhir-caller.ts'

/** A token that is never renewed. */
export const fixedToken = (token: string): TokenSource => ({ token: async () => token, forget: () => {} })
