export interface SessionOptions {
  /** 0 means no limit, for migrations only. */
  readonly statementTimeoutMs?: number
  /** For look-ups by key only: whatever has a name is planned once, for tables of any size. */
  readonly keepsPlans?: boolean
}

/** What every session is to be like, whatever the server, the database or the user would make of it. */
export function sessionSettings({ statementTimeoutMs = usualTimeoutMs, keepsPlans = false }: SessionOptions) {
  return new Map([
    ['TimeZone', 'UTC'],
    // The driver reads no other: an instant would be null, and a day would not be one.
    ['DateStyle', 'ISO, MDY'],
    ['default_transaction_isolation', 'read committed'],
    // Also 0: a limit of the user's own would end the building of a large index.
    ['statement_timeout', String(statementTimeoutMs)],
    ['idle_in_transaction_session_timeout', '60000'],
    ...(keepsPlans ? keepingPlans : []),
  ])
}

export const usualTimeoutMs = 30_000

/** A plan that is made while the tables are empty must still be the right one when they are full. */
const keepingPlans: readonly (readonly [string, string])[] = [
  ['plan_cache_mode', 'force_generic_plan'],
  ...['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan'].map((way) => [`enable_${way}`, 'off'] as const),
]

/** As the first message of a connection says them: no session is without them, and none costs a round trip. */
export const startupOptions = (settings: ReadonlyMap<string, string>): string =>
  [...settings].map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, String.raw`\$&`)}`).join(' ')
