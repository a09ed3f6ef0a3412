import { expect, it } from 'vitest'
import { connectionConfig } from './connection.ts'

it.each([
  [30_000, 35_000],
  // The longest that the configuration takes, and the longest that a timer does: beyond it, it fires at once.
  [2_147_483_647, 2_147_483_647],
])('a statement that may run %i ms is waited for %i ms', (statementTimeoutMs, waitedMs) => {
  const config = connectionConfig({ url: 'postgres://db/corridor', statementTimeoutMs })
  expect(config).toMatchObject({ statement_timeout: statementTimeoutMs, query_timeout: waitedMs })
})
