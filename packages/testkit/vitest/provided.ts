/** What the global setup hands to the tests, for `inject`. */
export interface Provided {
  /** A PostgreSQL whose user may create databases. */
  readonly postgresUrl: string
  /** The beginning of the names of all databases of this run. */
  readonly postgresRun: string
}

declare module 'vitest' {
  interface ProvidedContext extends Provided {}
}
