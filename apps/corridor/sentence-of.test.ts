import { DatabaseError } from 'pg'
import { expect, it } from 'vitest'
import { unavailable } from '../../packages/faults/fault.ts'
import { databaseFault, databaseUnavailable } from '../../packages/sql/database-fault.ts'
import { sentenceOf } from './sentence-of.ts'

const refusal = (code: string, message: string) => Object.assign(new DatabaseError(message, 0, 'error'), { code })

// What the whole command says of a database that takes no changes is shown in command-line.test.ts.
it.each([
  {
    of: 'a connection that was lost',
    fault: databaseFault(new Error('Connection terminated unexpectedly')),
    says: /^The database cannot be used \(Connection terminated unexpectedly\)\. ".+ doctor" says what to look at\.$/,
  },
  {
    of: 'a pool that finds no further connection',
    fault: databaseUnavailable('no connection', refusal('53300', 'too many connections for role "corridor"')),
    says: /^The database cannot be used \(too many connections for role "corridor"\)\. Raise its max_connections, or the limit of the user, or lower database\.poolMax\.$/,
  },
  {
    of: 'a statement, without the statement',
    fault: databaseFault(refusal('57P01', 'terminating connection due to administrator command'), {
      ...{ text: 'select secret', values: [] },
    }),
    says: /^The database cannot be used \(terminating connection due to administrator command\)\. /,
  },
  {
    of: 'what has a sentence of its own',
    fault: unavailable('The database at db:5432 refused user corridor.', { code: 'DATABASE_UNAVAILABLE' }),
    says: /^The database at db:5432 refused user corridor\.$/,
  },
])('the reason is said of $of', ({ fault, says }) => {
  expect(sentenceOf(fault)).toMatch(says)
})
