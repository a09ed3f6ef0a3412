declare module 'vitest' {
  /** What the global setup hands to the tests, for `inject`. */
  interface ProvidedContext {
    /** A PostgreSQL whose user may create databases. */
    postgresUrl: string
    /** The beginning of the names of all databases of this run. */
    postgresRun: string
  }
}

export {}
