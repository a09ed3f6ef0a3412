import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { adtA01 } from '../../../packages/testkit/hl7-messages.ts'
import { flowWorld, succeeded, type FlowWorld } from '../testing/flow-world.ts'
import { deadLetterGroups } from './dead-letters.ts'
import { searchTransactions } from './search-transactions.ts'
import type { TransactionFilter } from './transactions.ts'

const deps = { clock: systemClock, ids: systemIds }
const { status: _status, ...known } = succeeded()
const refused = { code: 'AE', errorCode: 'CONSENT_DENIED', errorMessage: 'No.', issues: [] } as const

describe('the log, as somebody searches it', () => {
  let world: FlowWorld
  beforeAll(async () => {
    world = await flowWorld({
      runStages: async ({ message }) =>
        message.getText('MSH-10')?.startsWith('BAD') === true
          ? { ...known, facilityCode: 'CENTRAL', ...refused, status: 'ERROR' }
          : succeeded({ facilityCode: 'CENTRAL' }),
    })
    for (const controlId of ['GOOD-1', 'BAD-1', 'GOOD-2', 'BAD-2']) {
      await world.send(
        adtA01({ controlId, patientId: controlId, city: controlId.endsWith('1') ? 'Enugu' : 'Jos' }, deps),
      )
    }
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const found = async (filter: TransactionFilter, page = { number: 0, offset: 0, size: 20 }) => {
    const { rows, total, isCut } = await searchTransactions(filter, page, world.database)
    return { ids: rows.map((row) => row.control_id), total, isCut }
  }

  it.each<[string, TransactionFilter, string[]]>([
    ['nothing', {}, ['BAD-2', 'GOOD-2', 'BAD-1', 'GOOD-1']],
    ['a control id', { controlId: 'GOOD-2' }, ['GOOD-2']],
    ['the number of a patient', { patientId: 'BAD-1' }, ['BAD-1']],
    ['a type and its event', { messageType: 'ADT^A01' }, ['BAD-2', 'GOOD-2', 'BAD-1', 'GOOD-1']],
    ['a type', { messageType: 'ADT' }, ['BAD-2', 'GOOD-2', 'BAD-1', 'GOOD-1']],
    ['the beginning of a type', { messageType: 'AD' }, []],
    ['another event', { messageType: 'ADT^A0' }, []],
    ['a status', { status: 'ERROR' }, ['BAD-2', 'BAD-1']],
    ['an error', { errorCode: 'CONSENT_DENIED' }, ['BAD-2', 'BAD-1']],
    ['a text', { q: 'Enugu' }, ['BAD-1', 'GOOD-1']],
    ['a text and a status', { q: 'Enugu', status: 'ERROR' }, ['BAD-1']],
    ['a text of other days', { q: 'Enugu', to: '2001-01-01' }, []],
    ['all days that there are', { from: '0001-01-01', to: '9999-12-31' }, ['BAD-2', 'GOOD-2', 'BAD-1', 'GOOD-1']],
    ['a text of all days', { q: 'Enugu', from: '0001-01-01', to: '9999-12-31' }, ['BAD-1', 'GOOD-1']],
    ['a last day that no calendar has', { to: '9999-99-99' }, ['BAD-2', 'GOOD-2', 'BAD-1', 'GOOD-1']],
    ['a text that nobody wrote', { q: 'Zzyzx' }, []],
  ])('by %s, the newest first', async (_what, filter, ids) => {
    expect(await found(filter)).toEqual({ ids, total: ids.length, isCut: false })
  })

  it.each(['utf8', 'latin1'] as const)('by a text that was sent in %s', async (encoding) => {
    await using own = await flowWorld({})
    await own.send(Buffer.from(adtA01({ city: 'Zürich' }, deps), encoding))
    const page = { number: 0, offset: 0, size: 20 }
    for (const [q, total] of [['Zürich', 1] as const, ['Züricherin', 0] as const]) {
      expect(await searchTransactions({ q }, page, own.database)).toMatchObject({ total })
    }
  })

  it.each<[string, TransactionFilter]>([
    ['all', {}],
    ['those with a text', { q: 'PID' }],
  ])('page by page, %s', async (_what, filter) => {
    expect(await found(filter, { number: 1, offset: 3, size: 3 })).toEqual({ ids: ['GOOD-1'], total: 4, isCut: false })
  })

  it('puts what failed together by cause and facility', async () => {
    expect(await deadLetterGroups(10, world.database)).toMatchObject([
      { errorCode: 'CONSENT_DENIED', facilityCode: 'CENTRAL', count: 2 },
    ])
  })
})
