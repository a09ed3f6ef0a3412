import { describe, expect, it } from 'vitest'
import type { AuditEvent, Bundle } from './resources.ts'
import { auditIds, writeAuditEvents } from './write-audit-events.ts'

const eventOf = ({ id }: { readonly id: string }): AuditEvent => ({
  resourceType: 'AuditEvent',
  meta: { tag: [{ system: auditIds, code: id }] },
  type: { code: 'rest' },
  recorded: '2026-03-04T05:06:07Z',
  agent: [{ requestor: true }],
  source: { observer: { display: 'test' } },
})

/** Answers each entry with the status that the test has for its id, 201 unless it has one. */
function storeWith(statuses: Readonly<Record<string, string>>, { transaction = false } = {}) {
  const bundles: Bundle[] = []
  return {
    bundles,
    capabilities: async () => ({ transaction, batch: true, conditionalUpdate: () => true }),
    transaction: async (bundle: Bundle): Promise<Bundle> => {
      bundles.push(bundle)
      const idOf = (ifNoneExist = '') => ifNoneExist.slice(ifNoneExist.indexOf('|') + 1)
      const entry = (bundle.entry ?? []).map(({ request }) => ({
        response: { status: statuses[idOf(request?.ifNoneExist)] ?? '201 Created' },
      }))
      return { resourceType: 'Bundle', type: 'batch-response', entry }
    },
  }
}

const records = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
const write = (store: ReturnType<typeof storeWith>) => writeAuditEvents(records, eventOf, store, {})

describe('audit events', () => {
  it.each([
    [true, 'transaction'],
    [false, 'batch'],
  ])('go as one bundle to a store whose transactions are %s: a %s', async (transaction, type) => {
    const store = storeWith({ b: '200 OK' }, { transaction })
    await write(store)
    expect(store.bundles).toMatchObject([
      { type, entry: records.map(({ id }) => ({ request: { ifNoneExist: `_tag=urn:corridor:audit-id|${id}` } })) },
    ])
  })

  it.each([
    ['422 Unprocessable Entity', 'incorrect'],
    ['400', 'incorrect'],
    ['403 Forbidden', 'forbidden'],
  ])('of which one is answered %s are tried half by half, and the refusal is told at the end', async (status, kind) => {
    const store = storeWith({ b: status })
    await expect(write(store)).rejects.toMatchObject({ kind, code: 'AUDIT_EVENT_REFUSED' })
    expect(store.bundles.map(({ entry }) => entry?.length)).toEqual([3, 2, 1, 1, 1])
  })

  it('go a hundred at a time, and those behind a refused one go too', async () => {
    const many = Array.from({ length: 201 }, (_, index) => ({ id: `r${index}` }))
    const store = storeWith({ r200: '422' })
    await expect(writeAuditEvents(many, eventOf, store, {})).rejects.toMatchObject({ code: 'AUDIT_EVENT_REFUSED' })
    expect(store.bundles.map(({ entry }) => entry?.length)).toEqual([100, 100, 1])
  })

  it.each(['503 Service Unavailable', '429', '301', ''])('wait together where one is answered %j', async (status) => {
    const store = storeWith({ b: status })
    await expect(write(store)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(store.bundles).toHaveLength(1)
  })

  it.each([
    ['no entries', () => undefined],
    ['fewer entries than were sent', (entry: Bundle['entry'] = []) => entry.slice(1)],
  ])('are not taken for written where the answer has %s', async (_, shown) => {
    const store = storeWith({})
    const transaction = async (bundle: Bundle): Promise<Bundle> => {
      const { entry, ...answer } = await store.transaction(bundle)
      const left = shown(entry)
      return left === undefined ? answer : { ...answer, entry: left }
    }
    await expect(write({ ...store, transaction })).rejects.toMatchObject({ kind: 'unavailable', code: 'BAD_GATEWAY' })
    expect(store.bundles).toHaveLength(1)
  })
})
