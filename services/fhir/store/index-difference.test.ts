import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { bug } from '../../../packages/faults/fault.ts'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { fullAccess } from '../scopes/access.ts'
import { unionAll } from '../search/sql/lookup.ts'
import { fhirDatabase } from '../testing/fhir-database.ts'
import type { Change } from './change.ts'
import { withoutGiven } from './content.ts'
import { indexKinds } from './index-kinds.ts'
import { createIndexOf, type IndexOf } from './index-rows.ts'
import { differencePart, indexTable } from './index-tables.ts'
import { hash64, parameterKey, resourceKey } from './keys.ts'
import { SharedSets } from './shared-sets.ts'
import { writeAll } from './write.ts'

describe('the index rows of a resource that changes', () => {
  let opened: Awaited<ReturnType<typeof fhirDatabase>>
  let indexOf: IndexOf
  const sets = new SharedSets({ clock: systemClock })
  beforeAll(async () => {
    opened = await fhirDatabase()
    indexOf = createIndexOf(await loadDefinitions(), { ownBases: [] })
  })
  afterAll(() => opened[Symbol.asyncDispose]())

  const write = (changes: readonly Change[]) =>
    opened.database.transaction((tx) => writeAll(changes, tx, { engine, clock: systemClock, sets }), { plans: 'kept' })

  const changeOf = ({ id, type, resource }: Step): Change => ({
    ...{ type, access: fullAccess, target: { kind: 'id', id, mayCreate: true } },
    ...(resource === undefined
      ? { method: 'DELETE', body: undefined }
      : { method: 'PUT', body: { resource, index: indexOf(type, resource) } }),
  })

  /** The rows of each resource as they would be of any: its own key is left open. */
  const rowsOf = async (names: readonly string[]) => {
    const keys = new Map(names.map((name) => [hash64(name), name]))
    const selects = indexKinds.map(
      (kind) =>
        sql`select key, ${kind} || x::text as line from ${indexTable(kind)} as x where key = any (${[...keys.keys()]}::bigint[])`,
    )
    const rows = await opened.database.many<{ key: string; line: string }>(unionAll(selects))
    const found = new Map(names.map((name) => [name, [] as string[]]))
    for (const { key, line } of rows) found.get(keys.get(key) ?? '')?.push(line.replaceAll(key, 'own'))
    return (name: string) => found.get(name)?.sort()
  }

  it('are those of the last version, whatever it was before', async () => {
    let world = 0
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        world++
        const named = history.map((batch) => batch.map((step) => ({ ...step, id: `${world}-${step.id}` })))
        for (const batch of named) await write(batch.map(changeOf))
        const last = new Map(named.flat().map((step) => [`${step.type}/${step.id}`, step]))
        // The same once more, under ids that never were there; of what was deleted compartments stay.
        await write([...last.values()].map((step) => changeOf({ ...step, id: `${step.id}-fresh` })))
        const rows = await rowsOf([...last.keys()].flatMap((name) => [name, `${name}-fresh`]))
        const isLeft =
          ({ resource }: Step) =>
          (line: string) =>
            resource !== undefined || !line.startsWith('compartments')
        for (const [name, step] of last) expect(rows(name)?.filter(isLeft(step))).toEqual(rows(`${name}-fresh`))
      }),
      { numRuns: 40 },
    )
  })

  it('are those of the version that came last when many write at once', async () => {
    const steps = fc.sample(step, 60).map(({ id, what }) => ({ id: `at-once-${id}`, ...what }))
    await Promise.all(steps.map((one) => write([changeOf(one)])))
    const last = await opened.database.many<{ id: string; type: string; content: string }>(sql`
      select v.id, v.type, v.content from fhir.resources as r join fhir.versions as v using (key, version)
      where v.id like 'at-once-%' and not r.deleted`)
    const copies = last.map(({ id, type, content }) => ({ id: `copy-${id}`, type, resource: readContent(content) }))
    await write(copies.map(changeOf))
    const names = last.map(({ type, id }) => ({ name: `${type}/${id}`, copy: `${type}/copy-${id}` }))
    const rows = await rowsOf(names.flatMap(({ name, copy }) => [name, copy]))
    for (const { name, copy } of names) expect(rows(name)).toEqual(rows(copy))
  })

  it('stay where they are but for the value that changed', async () => {
    const visit = (ward: string) => ({
      ...{ resourceType: 'Encounter', status: 'in-progress', class: { code: 'IMP' } },
      subject: { reference: 'Patient/1' },
      serviceProvider: { reference: 'Organization/1' },
      location: [{ location: { reference: `Location/${ward}` } }],
    })
    const places = async () => {
      const key = resourceKey('Encounter', 'moved')
      const rows = await opened.database.many<{ param: number; place: string }>(sql`
        select param, ctid::text as place from fhir.reference_values where key = ${key}::bigint`)
      return new Map(rows.map(({ param, place }) => [param, place]))
    }
    await write([changeOf({ id: 'moved', type: 'Encounter', resource: visit('1') })])
    const before = await places()
    await write([changeOf({ id: 'moved', type: 'Encounter', resource: visit('2') })])
    const after = await places()
    const moved = [...after].filter(([param, place]) => before.get(param) !== place).map(([param]) => param)
    expect([after.size, moved]).toEqual([before.size, [parameterKey('Encounter', 'location')]])
  })

  it('that an earlier version numbered otherwise are replaced', async () => {
    const [person, next] = ['female', 'male'].map((gender) => ({
      ...{ resourceType: 'Patient', gender, active: true },
      identifier: [{ system: 'urn:a', value: '1' }, { value: '2' }],
    }))
    await write([changeOf({ id: 'old', type: 'Patient', resource: person })])
    await opened.database.run(sql`
      update fhir.tokens as t set seq = n.place from (
        select param, seq, row_number() over (order by param, seq) - 1 as place
        from fhir.tokens where key = ${resourceKey('Patient', 'old')}::bigint
      ) as n
      where t.key = ${resourceKey('Patient', 'old')}::bigint and t.param = n.param and t.seq = n.seq`)
    await write([
      changeOf({ id: 'old', type: 'Patient', resource: next }),
      changeOf({ id: 'new', type: 'Patient', resource: next }),
    ])
    const rows = await rowsOf(['Patient/old', 'Patient/new'])
    expect(rows('Patient/old')).toEqual(rows('Patient/new'))
  })

  it.each(indexKinds)('are told apart by hash and by key, of %s too', async (kind) => {
    const cells = [7, 0, ...Array.from({ length: 12 }, () => '1')]
    const part = differencePart(kind, [{ key: '1', cells }], ['1'])
    const lines = await opened.database.transaction(async (tx) => {
      await tx.run(sql`set local plan_cache_mode = force_generic_plan`)
      return tx.many<Record<string, string>>(sql`explain with ${part} select`)
    })
    const plan = lines.flatMap((line) => Object.values(line)).join('\n')
    expect(plan).toContain('hashed SubPlan')
    expect(plan).toContain('Index')
    expect(plan).not.toMatch(/_lookup|Join|Seq Scan/)
  })
})

const engine = {
  matches: () => Promise.reject(bug('nothing is searched for')),
  condition: () => {
    throw bug('nobody here is confined')
  },
}

/** Sound: what is stored is a resource. */
const readContent = (content: string) => withoutGiven(JSON.parse(content) as object) as { resourceType: string }

interface Step {
  readonly id: string
  readonly type: string
  /** Undefined: it is deleted. */
  readonly resource: { readonly resourceType: string } | undefined
}

const word = fc.constantFrom('a', 'b', 'c')
const few = <T>(item: fc.Arbitrary<T>) => fc.option(fc.array(item, { minLength: 1, maxLength: 3 }), { nil: undefined })
const maybe = <T>(item: fc.Arbitrary<T>) => fc.option(item, { nil: undefined })
const concept = fc.record({
  coding: fc.array(fc.record({ system: maybe(fc.constantFrom('urn:x', 'urn:y')), code: word }), {
    minLength: 1,
    maxLength: 2,
  }),
  text: maybe(fc.constantFrom('One', 'Two')),
})
const identifier = fc.record({ system: maybe(fc.constantFrom('urn:a', 'urn:b')), type: maybe(concept), value: word })
const patient = word.map((id) => ({ reference: `Patient/${id}` }))
const quantity = fc.record({
  value: fc.constantFrom(1, 1.5, -2),
  unit: maybe(word),
  comparator: maybe(fc.constantFrom('<', '>')),
})
const meta = fc.record({ profile: few(word.map((name) => `urn:profile:${name}`)), source: maybe(fc.constant('urn:s')) })

const observation = fc
  .record({
    ...{
      meta: maybe(meta),
      identifier: few(identifier),
      category: few(concept),
      code: concept,
      subject: maybe(patient),
    },
    performer: few(patient),
    effectiveDateTime: fc.constantFrom('2024', '2024-05-01', '2024-05-01T10:00:00Z'),
    valueQuantity: maybe(quantity),
    component: few(fc.record({ code: concept, valueQuantity: maybe(quantity) })),
  })
  .map((rest) => ({ type: 'Observation', resource: { resourceType: 'Observation', ...present(rest) } }))

const person = fc
  .record({
    ...{
      identifier: few(identifier),
      gender: maybe(fc.constantFrom('male', 'female')),
      birthDate: maybe(fc.constant('1990')),
    },
    name: few(fc.record({ family: word, given: few(word) }).map(present)),
    link: few(patient.map((other) => ({ other, type: 'seealso' }))),
  })
  .map((rest) => ({ type: 'Patient', resource: { resourceType: 'Patient', ...present(rest) } }))

const step = fc.record({
  id: fc.constantFrom('1', '2', '3'),
  what: fc.oneof(
    { weight: 6, arbitrary: fc.oneof(observation, person) },
    { weight: 1, arbitrary: fc.constantFrom('Observation', 'Patient').map((type) => ({ type, resource: undefined })) },
  ),
})

/** Batches of changes, one transaction each. */
const histories: fc.Arbitrary<Step[][]> = fc.array(
  fc.array(
    step.map(({ id, what }) => ({ id, ...what })),
    { minLength: 1, maxLength: 4 },
  ),
  { minLength: 2, maxLength: 6 },
)

/** As JSON that came in would be. */
function present<T extends object>(record: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(record)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, dropUndefined(value)]),
  ) as Partial<T> // sound: it has no other entries
}

const dropUndefined = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
