import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../packages/sql/queryable.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import { Auditor } from './auditor.ts'
import { readLinks } from './store/audit-chains.ts'
import { accessOf } from './testing/accesses.ts'
import { auditWorld, type AuditWorld } from './testing/audit-world.ts'
import { verifyChains, type Verdict } from './verify-chain.ts'

let audited: AuditWorld
let database: Database
beforeAll(async () => {
  audited = await auditWorld()
  database = audited.deps.database
})
afterAll(() => audited[Symbol.asyncDispose]())

/** The event at the third place. */
const third = (chain: string) => sql`(select event_id from fhir.audit_links where chain = ${chain} and position = 3)`

const tamperings: readonly [string, (chain: string) => Statement, { position: number; why: string }][] = [
  [
    'a link is removed',
    (chain) => sql`delete from fhir.audit_links where chain = ${chain} and position = 3`,
    { position: 3, why: 'link missing' },
  ],
  [
    'the end is cut off',
    (chain) => sql`delete from fhir.audit_links where chain = ${chain} and position >= 4`,
    { position: 4, why: 'end missing' },
  ],
  [
    'the end is cut off and the count with it',
    (chain) => sql`
      with cut as (delete from fhir.audit_links where chain = ${chain} and position = 5)
      update fhir.audit_chains set length = 4 where chain = ${chain}`,
    { position: 4, why: 'end missing' },
  ],
  [
    'an event is altered',
    (chain) =>
      sql`update fhir.versions set content = replace(content, 'dr-amara', 'dr-baraka') where id = ${third(chain)}`,
    { position: 3, why: 'event altered' },
  ],
  [
    'an event is removed',
    (chain) => sql`delete from fhir.resources where id = ${third(chain)}`,
    { position: 3, why: 'event missing' },
  ],
  [
    'the content of an event is removed',
    (chain) => sql`delete from fhir.versions where id = ${third(chain)}`,
    { position: 3, why: 'event missing' },
  ],
  [
    'an event is written over',
    (chain) => sql`update fhir.resources set version = 2 where id = ${third(chain)}`,
    { position: 3, why: 'event replaced' },
  ],
  [
    'an event is marked as deleted',
    (chain) => sql`update fhir.resources set deleted = true where id = ${third(chain)}`,
    { position: 3, why: 'event replaced' },
  ],
  [
    'a link is turned to another event',
    (chain) => sql`
      update fhir.audit_links set event_id = (
        select event_id from fhir.audit_links where chain = ${chain} and position = 4)
      where chain = ${chain} and position = 3`,
    { position: 3, why: 'event altered' },
  ],
  [
    'its beginning is dated back',
    (chain) => sql`update fhir.audit_chains set started_at = started_at - interval '1 day' where chain = ${chain}`,
    { position: 1, why: 'event altered' },
  ],
]

describe('a chain', () => {
  it.each(tamperings)('shows it when %s', async (_what, tampering, expected) => {
    const { chain } = await newChain()
    await database.run(tampering(chain))
    expect(await verdictOf(chain)).toEqual({ is: 'broken', chain, ...expected })
  })

  it('that is removed is missed by the one begun after it', async () => {
    const removed = await newChain()
    const next = await newChain()
    await database.run(sql`delete from fhir.audit_links where chain = ${removed.chain}`)
    await database.run(sql`delete from fhir.audit_chains where chain = ${removed.chain}`)
    expect(await verdictOf(next.chain)).toMatchObject({ is: 'broken', why: 'predecessor missing' })
  })

  it('grows on past two thousand million links, and can be looked at', async () => {
    const auditor = new Auditor(audited.deps)
    const write = async (count: number) => {
      for (let number = 0; number < count; number++) auditor.record(accessOf())
      await auditor.drain()
    }
    await write(1)
    const chain = auditor.chain ?? ''
    await database.run(sql`update fhir.audit_chains set length = 2147483640 where chain = ${chain}`)
    await write(20)
    const { length } = await database.one<{ length: string }>(
      sql`select length from fhir.audit_chains where chain = ${chain}`,
    )
    expect(length).toBe('2147483660')
    expect(await verdictOf(chain)).toEqual({ is: 'broken', chain, position: 2, why: 'link missing' })
    await write(1)
    expect(await readLinks(chain, 2_147_483_660, 10, database)).toMatchObject([{ position: 2_147_483_661 }])
  })

  it('is one writer’s, so that many can write at once', async () => {
    const verdicts = await Promise.all(Array.from({ length: 4 }, newChain))
    expect(new Set(verdicts.map(({ chain }) => chain)).size).toBe(4)
    for (const verdict of verdicts) expect(verdict).toMatchObject({ is: 'whole', length: 5 })
  })
})

/** A chain of five events that was found to be whole. */
async function newChain(): Promise<Verdict> {
  const auditor = new Auditor(audited.deps)
  for (let number = 0; number < 5; number++) auditor.record(accessOf())
  await auditor.drain()
  const verdict = await verdictOf(auditor.chain ?? '')
  expect(verdict).toMatchObject({ is: 'whole', length: 5 })
  return verdict
}

async function verdictOf(chain: string): Promise<Verdict> {
  const verdict = (await verifyChains(database)).find((each) => each.chain === chain)
  if (verdict === undefined) throw new Error('there is no such chain')
  return verdict
}
