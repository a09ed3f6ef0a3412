import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { charset } from '../../../packages/hl7/charset.ts'
import { adtA01 } from '../../../packages/testkit/hl7-messages.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { DeadLettersPage } from '../console/dead-letters/dead-letters-page.tsx'
import { filledWords, readSearch } from '../console/search/search-words.ts'
import { frameModel } from '../console/testing/transaction-frame.ts'
import { flowWorld, succeeded, type FlowWorld } from '../testing/flow-world.ts'
import { deadLetterGroups } from './dead-letters.ts'
import { backlog } from './flow-figures.ts'
import { searchTransactions } from './search-transactions.ts'
import { listTransactions, type TransactionFilter } from './transactions.ts'

const deps = { clock: systemClock, ids: systemIds }
const { status: _status, ...known } = succeeded()
const firstPage = { number: 0, offset: 0, size: 20 }
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

  const found = async (filter: TransactionFilter, page = firstPage) => {
    const { rows, total, isCut } = await searchTransactions(filter, page, world.database)
    return { ids: rows.map((row) => row.control_id), total, isCut }
  }

  it.each<[string, TransactionFilter, string[]]>([
    ['nothing', {}, ['BAD-2', 'GOOD-2', 'BAD-1', 'GOOD-1']],
    ['a control id', { controlId: 'GOOD-2' }, ['GOOD-2']],
    ['the number of a patient', { patientId: 'BAD-1' }, ['BAD-1']],
    ['a type and its event', { messageType: 'ADT^A01' }, ['BAD-2', 'GOOD-2', 'BAD-1', 'GOOD-1']],
    ['MSH-9 as it was sent', { messageType: 'ADT^A01^ADT_A01' }, ['BAD-2', 'GOOD-2', 'BAD-1', 'GOOD-1']],
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

  it('by a text and a status, however many newer ones have the text alone', async () => {
    await using own = await flowWorld({ runStages: async () => ({ ...known, ...refused, status: 'ERROR' }) })
    await own.send(adtA01({ controlId: 'BAD-1', city: 'Enugu' }, deps))
    await own.database.many(sql`
      insert into bridge.raw_messages select '9998-' || n, channel_id, message_type, control_id, sending_application,
        sending_facility, facility_code, patient_keys, peer, received_at, parent_transaction_id, raw
      from bridge.raw_messages, generate_series(1, 10001) n`)
    const answer = await searchTransactions({ q: 'Enugu', status: 'ERROR' }, firstPage, own.database)
    expect(answer).toMatchObject({ rows: [{ control_id: 'BAD-1' }], total: 1, isCut: false })
    expect(await searchTransactions({ q: 'Enugu' }, firstPage, own.database)).toMatchObject({ isCut: true })
  })

  it('by the number of a patient also where the header was refused: wrong port, training, no sender', async () => {
    await using own = await flowWorld({ channels: { adt: { processingIds: ['P'] } } })
    const admission = (controlId: string) => adtA01({ controlId, patientId: '4711' }, deps)
    await own.send(admission('wrong-port'), { channel: 'mdm' })
    await own.send(admission('training').replace('|P|2.5', '|T|2.5'))
    await own.send(admission('no-sender').replace(/^(MSH(?:\|[^|]*){2})\|[^|]*/, '$1|'))
    const { rows } = await searchTransactions({ patientId: '4711' }, firstPage, own.database)
    expect(rows.map(({ control_id, status, stage }) => `${control_id} ${status} ${stage}`)).toEqual([
      'no-sender ERROR RECEIVE',
      'training ERROR RECEIVE',
      'wrong-port ERROR RECEIVE',
    ])
  })

  it('by a text in whatever set it was sent, in capitals or not', async () => {
    await using own = await flowWorld({})
    const sent = [
      ['utf-8', 'Zürich', 'ZÜRICH'],
      ['windows-1252', 'ZÜRICH', 'zürich'],
      ['iso-8859-2', 'ŁÓDŹ', 'Łódź'],
      ['iso-8859-5', 'Москва', 'москва'],
      ['gb18030', '北京市', '北京市'],
      ['utf-8', 'Port-Louis', 'port-louis'],
    ] as const
    for (const [label, city] of sent) {
      await own.send(charset(label).encode(adtA01({ city }, deps)))
    }
    const totals = sent.map(async ([, , q]) => (await searchTransactions({ q }, firstPage, own.database)).total)
    // Zürich came in two sets.
    expect(await Promise.all(totals)).toEqual([2, 2, 1, 1, 1, 1])
    expect(await searchTransactions({ q: 'Züricherin' }, firstPage, own.database)).toMatchObject({ total: 0 })
  })

  it.each<[string, TransactionFilter]>([
    ['all', {}],
    ['those with a text', { q: 'PID' }],
  ])('page by page, %s', async (_what, filter) => {
    expect(await found(filter, { number: 1, offset: 3, size: 3 })).toEqual({ ids: ['GOOD-1'], total: 4, isCut: false })
  })

  it.each<[string, (on: Database) => Promise<{ readonly total: number }>]>([
    ['page', (on) => searchTransactions({ q: 'Enugu', status: 'ERROR' }, firstPage, on)],
    ['API', (on) => listTransactions({ q: 'Enugu', status: 'ERROR' }, 'durationMs,asc', firstPage, on)],
  ])(
    'by a text that the bytes are looked through for once, for what the %s shows and for its count',
    async (_, list) => {
      const looks: string[] = []
      const { database } = world
      const noted = (statement: Statement) => {
        if (statement.text.includes('position(')) looks.push(statement.text)
        return statement
      }
      const counting: Database = {
        ...database,
        many: (statement) => database.many(noted(statement)),
        one: (statement) => database.one(noted(statement)),
      }
      expect(await list(counting)).toMatchObject({ rows: [{ control_id: 'BAD-1' }], total: 1 })
      expect(looks).toHaveLength(1)
    },
  )

  it('finds of a group of dead letters as many as were counted, also of no facility and where nobody says why', async () => {
    const causes = [
      ['A', 'CONSENT_DENIED', 'CENTRAL'],
      ['B', 'CONSENT_DENIED', 'LAKESIDE'],
      ['C', 'CONSENT_DENIED', 'NOWHERE'],
      ['D', 'INTERNAL', 'NOWHERE'],
    ] as const
    await using own = await flowWorld({
      runStages: async ({ message }) => {
        const [, errorCode = '', facilityCode = ''] = causes.find(([id]) => id === message.getText('MSH-10')) ?? []
        return { ...known, ...refused, errorCode, facilityCode, status: 'ERROR' }
      },
    })
    for (const [controlId] of causes) {
      // Its sender tries it three times.
      for (let times = 0; times < 3; times++) await own.send(adtA01({ controlId }, deps))
    }
    await own.database.run(sql`update bridge.transactions set facility_code = null where control_id in ('C', 'D')`)
    await own.database.run(sql`update bridge.transactions set error_code = null where control_id = 'D'`)
    const groups = await deadLetterGroups(10, own.database)
    expect(groups.map(({ count }) => count)).toEqual([1, 1, 1, 1])
    expect(await backlog(systemClock.now(), own.database)).toMatchObject({ failed: 4 })
    const html = renderPage(<DeadLettersPage model={{ ...frameModel, groups, hasMore: false, runs: [] }} />)
    const links = [...html.matchAll(/href="\/console\/messages\?([^"]*)"/g)].map(([, query = '']) =>
      query.replaceAll('&amp;', '&'),
    )
    expect(links).toHaveLength(4)
    const ids = await Promise.all(
      links.map(async (query) => {
        const search = readSearch(filledWords(Object.fromEntries(new URLSearchParams(query))))
        const filter = search.is === 'read' ? search.filter : {}
        const { rows, total } = await searchTransactions(filter, firstPage, own.database)
        return `${total} ${rows.map((row) => row.id).join()}`
      }),
    )
    expect(ids).toEqual(groups.map(({ count, lastId }) => `${count} ${lastId}`))
  })

  it('puts what failed together by cause and facility', async () => {
    expect(await deadLetterGroups(10, world.database)).toMatchObject([
      { errorCode: 'CONSENT_DENIED', facilityCode: 'CENTRAL', count: 2 },
    ])
  })
})
