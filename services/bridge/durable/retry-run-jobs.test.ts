import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { adtA01 } from '../../../packages/testkit/hl7-messages.ts'
import type { TransactionFilter } from '../store/transactions.ts'
import { addRetryRun, findRetryRun, latestRetryRuns, nextTurns, type RetryRun } from '../store/retry-runs.ts'
import { flowWorld, succeeded, type FlowWorld } from '../testing/flow-world.ts'
import { RetryRunJobs, type RetryRunJobsDeps } from './retry-run-jobs.ts'
import { retryTransactions } from './retry-transactions.ts'

const deps = { clock: systemClock, ids: systemIds, log: silentLog }
const { status: _status, ...known } = succeeded()
const denied = { code: 'AR', errorCode: 'CONSENT_DENIED', errorMessage: 'No.', issues: [] } as const
const group = { errorCode: 'CONSENT_DENIED', facilityCode: 'CENTRAL' }

describe('a batch of failed messages', () => {
  let world: FlowWorld
  const mended = new Set<string>()
  beforeAll(async () => {
    world = await flowWorld({
      runStages: async ({ message }) => {
        const [facilityCode = '', number = ''] = (message.getText('MSH-10') ?? '').split('-')
        const isMended = mended.has(facilityCode) && number !== '9'
        return isMended ? succeeded({ facilityCode }) : { ...known, facilityCode, ...denied, status: 'ERROR' }
      },
    })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const fail = async (facility: string, ...numbers: readonly number[]) => {
    for (const number of numbers) await world.send(adtA01({ controlId: `${facility}-${number}` }, deps))
  }
  const runsWith = (retries: Partial<RetryRunJobsDeps['retries']> = {}) => {
    const { database, flow } = world
    const real = retryTransactions({ ...deps, database, queue: flow.retries, channelOf: (id) => world.channel(id) })
    return new RetryRunJobs({ ...deps, database, retries: { ...real, ...retries } })
  }
  const stateOf = async (id: string) => {
    const run = await findRetryRun(id, world.database)
    const { matched, notYet, taken, succeeded: good, failed } = run ?? ({} as RetryRun)
    return { matched, notYet, taken, good, failed }
  }

  it('is a job: it goes on after a restart, takes only what is meant, and what fails again is counted', async () => {
    await fail('CENTRAL', 1, 2, 9)
    await fail('LAKESIDE', 1)
    mended.add('CENTRAL')
    const before = runsWith()
    await before.close()
    const id = await before.begin(group, 'admin')
    expect(await stateOf(id)).toEqual({ matched: 3, notYet: 3, taken: 0, good: 0, failed: 0 })
    const after = runsWith()
    await expect.poll(() => stateOf(id)).toEqual({ matched: 3, notYet: 0, taken: 3, good: 2, failed: 1 })
    await after.close()
    expect(await world.database.many(sql`select 1 from bridge.transactions where facility_code = 'LAKESIDE'`)).toEqual([
      expect.anything(),
    ])
    expect(await latestRetryRuns(5, world.database)).toMatchObject([{ id, startedBy: 'admin', stoppedAt: null }])
    const askers = sql`select distinct asked_by as by, count(*)::int as messages from bridge.retries group by 1`
    expect(await world.database.many(askers)).toEqual([{ by: 'admin', messages: 3 }])
  })

  it('begins with what was not run again yet, where there is more than fits into one', async () => {
    await fail('KANO', 1, 2, 9)
    const ids = await world.database.many<{ id: string }>(sql`
      select id from bridge.transactions where facility_code = 'KANO' order by id`)
    const [first, ...others] = ids.map(({ id }) => id)
    await world.database.run(sql`
      insert into bridge.retries (transaction_id, attempt, asked_at, asked_by) values (${first}, 2, now(), 'admin')`)
    const of = { errorCode: 'CONSENT_DENIED', facilityCode: 'KANO' }
    const run = { of, startedAt: new Date(), startedBy: 'admin' }
    const id = systemIds.timeUuid()
    await world.database.transaction((tx) => addRetryRun({ ...run, id }, 2, tx))
    expect((await nextTurns(id, 10, world.database)).map((turn) => turn.id)).toEqual(others)
  })

  it('leaves alone what somebody else was quicker with, and finds nothing where nothing failed', async () => {
    const runs = runsWith({ begin: async () => false })
    const id = await runs.begin({ errorCode: 'CONSENT_DENIED', facilityCode: 'LAKESIDE' }, 'admin')
    await expect.poll(() => stateOf(id)).toEqual({ matched: 1, notYet: 0, taken: 0, good: 0, failed: 0 })
    const none = await runs.begin({ errorCode: 'CONSENT_DENIED', facilityCode: null }, 'admin')
    expect(await stateOf(none)).toMatchObject({ matched: 0 })
    await runs.close()
  })

  it('takes the dead letters among what a search has found, and says which search that was', async () => {
    await fail('ABUJA', 1, 2)
    const runs = runsWith({ begin: async () => true })
    const idOf = async (search: string, filter: TransactionFilter) => runs.begin({ search, filter }, 'admin')
    const all = await idOf('status=DEAD&facilityCode=ABUJA', { facilityCode: 'ABUJA', messageType: 'ADT' })
    const one = await idOf('status=DEAD&controlId=ABUJA-2', { controlId: 'ABUJA-2', isDead: true })
    const none = await idOf('status=DEAD&to=2026-01-01', { facilityCode: 'ABUJA', to: '2026-01-01' })
    await runs.close()
    const found = await Promise.all([all, one, none].map((id) => findRetryRun(id, world.database)))
    expect(found.map((run) => [run?.matched, run?.search, run?.errorCode])).toEqual([
      [2, 'status=DEAD&facilityCode=ABUJA', null],
      [1, 'status=DEAD&controlId=ABUJA-2', null],
      [0, 'status=DEAD&to=2026-01-01', null],
    ])
  })

  it('can be stopped: what was not begun stays failed', async () => {
    const numbers = Array.from({ length: 30 }, (_, index) => index + 10)
    await fail('JOS', ...numbers)
    mended.add('JOS')
    let begun = 0
    const runs = runsWith({
      begin: async () => {
        begun++
        for (const { id } of await latestRetryRuns(1, world.database)) await runs.stop(id, 'admin')
        return true
      },
    })
    const id = await runs.begin({ errorCode: 'CONSENT_DENIED', facilityCode: 'JOS' }, 'admin')
    await expect.poll(async () => (await stateOf(id)).notYet).toBe(10)
    await runs.close()
    expect(begun).toBe(20)
    expect(await findRetryRun(id, world.database)).toMatchObject({ stoppedBy: 'admin' })
  })
})
