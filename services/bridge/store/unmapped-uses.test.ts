import { expect, it } from 'vitest'
import { systemIds } from '../../../packages/clock/ids.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { patientClock } from '../../../packages/testkit/patient-clock.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { finishedMessage } from '../audit/testing/finished-messages.ts'
import { retryTransactions } from '../durable/retry-transactions.ts'
import { loinc, type CodeNeed } from '../mapping/terms.ts'
import { flowWorld, sample, succeeded } from '../testing/flow-world.ts'
import { listUnmappedCodes, unmappedCodesPart } from './unmapped-codes.ts'

const need = (code: string): CodeNeed => ({ target: loinc, system: 'urn:local', code, path: 'OBX-3' })

it('a message that is run again is no further use of the codes that nobody has mapped', async () => {
  let runs = 0
  await using world = await flowWorld({
    deps: { parts: [unmappedCodesPart(systemIds)] },
    runStages: async ({ message }) => {
      runs++
      return succeeded({ unmapped: message.getText('MSH-10') === 'B' ? [need('GLU'), need('K')] : [need('GLU')] })
    },
  })
  const { database, flow } = world
  const used = async () => {
    const { rows } = await listUnmappedCodes('open', { number: 0, offset: 0, size: 10 }, database)
    return rows.map(({ code, uses }) => `${code} ${uses}`).toSorted()
  }
  for (const controlId of ['A', 'B']) await world.code(sample({ controlId }))
  expect(await used()).toEqual(['GLU 2', 'K 1'])
  const all = await database.many<{ id: string }>(sql`select id from bridge.transactions order by id`)
  const channelOf: typeof world.channel = (channel) => world.channel(channel)
  const retries = retryTransactions({ database, clock: patientClock, queue: flow.retries, channelOf })
  const ids = all.map(({ id }) => id)
  expect(await retries.rerun(ids, 'admin')).toBe(2)
  await waitFor(async () => runs === 4 && (await database.many(sql`select 1 from bridge.open_work`)).length === 0, {
    what: 'both to end',
  })
  expect(await used()).toEqual(['GLU 2', 'K 1'])
  await world.code(sample({ controlId: 'C' }))
  expect(await used()).toEqual(['GLU 3', 'K 1'])
})

it('thousands of codes of one commit are not compared with each other, pair by pair', async () => {
  await using world = await flowWorld()
  const part = unmappedCodesPart(systemIds)
  const messages = ['a', 'b'].map((transactionId) =>
    finishedMessage({ transactionId, outcome: { ...succeeded(), unmapped: [need('GLU'), need('K')] } }),
  )
  const statement = part.statement(messages) ?? sql`select`
  // As the commit that ends messages plans it: without hashes, and for any number of codes.
  const plan = await world.database.transaction((tx) => tx.many<Record<string, string>>(sql`explain ${statement}`), {
    plans: 'kept',
  })
  const lines = plan.flatMap((line) => Object.values(line))
  expect(lines.join('\n')).toContain('Index')
  expect(lines.filter((line) => line.includes('Join Filter'))).toEqual([])
})
