import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { bug } from '../../../packages/faults/fault.ts'
import { loadDefinitions, type Definitions } from '../../../packages/fhir/definitions.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { fullAccess } from '../scopes/access.ts'
import { fhirDatabase } from '../testing/fhir-database.ts'
import type { Change } from './change.ts'
import { criteriaOf } from './criteria.ts'
import { createIndexOf, type IndexOf } from './index-rows.ts'
import { beginningOf, wholeText } from './indexed-text.ts'
import { hash64, parameterKey, rememberedKeys, resourceKey } from './keys.ts'
import { SharedSets } from './shared-sets.ts'
import { writeAll } from './write.ts'

const engine = {
  matches: () => Promise.reject(bug('identifiers are found without the search engine')),
  condition: () => {
    throw bug('nobody here is confined')
  },
}

describe('keys', () => {
  it('are the same on every machine', () => {
    expect(resourceKey('Patient', '1')).toBe('3141987442251605659')
    expect(parameterKey('Patient', 'identifier')).toBe(-813337701)
  })

  it('are the same when they are remembered, also of more texts than are kept and of long ones', () => {
    const keyOf = rememberedKeys()
    const texts = [...Array.from({ length: 3_000 }, (_, number) => `urn:system:${number}`), 'x'.repeat(5_000)]
    for (const _time of [1, 2]) expect(texts.map(keyOf)).toEqual(texts.map(hash64))
  })

  it('of all parameters of all types differ', async () => {
    const { resourceTypes, ...definitions } = await definitionsWithParameters()
    const seen = new Map([[parameterKey('', ':digest'), 'the digest of a set']])
    for (const type of resourceTypes) {
      for (const code of definitions.codesOf(type)) {
        for (const name of [code, `${code}:of-type`, `${code}:identifier`, `${code}:version`]) {
          const key = parameterKey(type, name)
          expect(seen.get(key)).toBeUndefined()
          seen.set(key, `${type}.${name}`)
        }
      }
    }
  })

  async function definitionsWithParameters() {
    const definitions = await loadDefinitions()
    return {
      resourceTypes: definitions.resourceTypes,
      codesOf: (type: string) => definitions.parametersOf(type).keys(),
    }
  }
})

describe('long texts in the index', () => {
  it('that are compared as a whole differ when any character does', () => {
    const [some, other] = ['a', 'b'].map((end) => wholeText(`${'x'.repeat(5_000)}${end}`))
    expect(some).not.toBe(other)
    expect(some?.length).toBeLessThan(500)
    expect(wholeText('short')).toBe('short')
  })

  it('are never cut within a character, and have no character 0', () => {
    expect(beginningOf(`${'x'.repeat(499)}😀`)).toBe('x'.repeat(499))
    expect(beginningOf('a\0b')).toBe('ab')
    expect(wholeText('a\0b')).toBe('ab')
  })
})

describe('criteria', () => {
  it.each([
    ['identifier=urn:a|1', { system: 'urn:a', value: '1' }],
    ['identifier=urn%3Aa%7C1', { system: 'urn:a', value: '1' }],
    ['identifier=1', { system: undefined, value: '1' }],
    ['identifier=|1', { system: '', value: '1' }],
    ['identifier=urn:a|', undefined],
    ['identifier=a,b', undefined],
    ['identifier=a\\|b', undefined],
    ['_tag=urn:a|1', { parameter: '_tag', system: 'urn:a', value: '1' }],
    ['_tag:not=urn:a|1', undefined],
    ['identifier=1&active=true', undefined],
    ['identifier:exact=1', undefined],
    ['family=x', undefined],
  ])('%s are one identifier: %j', (query, identifier) => {
    expect(criteriaOf('Patient', query).identifier).toEqual(identifier)
  })

  it('claim the same where they name the same identifier, however it is written', () => {
    const claims = ['identifier=urn:a|1', 'identifier=urn%3Aa%7C1', 'active=true&identifier=urn:a|1'].map(
      (query) => criteriaOf('Patient', query).claim,
    )
    expect(new Set(claims).size).toBe(1)
    expect(criteriaOf('Person', 'identifier=urn:a|1').claim).not.toBe(claims[0])
  })
})

describe('writing', () => {
  let opened: Awaited<ReturnType<typeof fhirDatabase>>
  let definitions: Definitions
  let indexOf: IndexOf
  beforeAll(async () => {
    opened = await fhirDatabase()
    definitions = await loadDefinitions()
    indexOf = createIndexOf(definitions, { ownBases: ['https://own.example/fhir'] })
  })
  afterAll(() => opened[Symbol.asyncDispose]())

  const put = (id: string, resource: { resourceType: string }): Change => ({
    method: 'PUT',
    type: resource.resourceType,
    target: { kind: 'id', id, mayCreate: true },
    body: { resource, index: indexOf(resource.resourceType, resource) },
    access: fullAccess,
  })
  const write = (...changes: readonly Change[]) =>
    opened.database.transaction((tx) =>
      writeAll(changes, tx, { engine, clock: systemClock, sets: new SharedSets({ clock: systemClock }) }),
    )
  const patient = (rest: object = {}) => ({ resourceType: 'Patient', name: [{ family: 'Diallo' }], ...rest })

  it('many changes in one list have their outcomes in its order, also of one resource', async () => {
    const outcomes = await write(
      put('a', patient()),
      put('b', patient()),
      put('a', patient({ active: true })),
      { ...put('b', patient()), precondition: { version: 7 } },
      { ...put('a', patient()), method: 'DELETE', body: undefined },
      put('a', patient()),
    )
    expect(outcomes.map((outcome) => outcome.kind)).toEqual([
      'created',
      'created',
      'updated',
      'refused',
      'deleted',
      'created',
    ])
    const versions = await opened.database.many(sql`
      select version, content is null as gone from fhir.versions
      where key = ${resourceKey('Patient', 'a')}::bigint order by version`)
    expect(versions).toEqual([
      { version: 1, gone: false },
      { version: 2, gone: false },
      { version: 3, gone: true },
      { version: 4, gone: false },
    ])
  })

  it('index rows of a kind that has not changed are left alone', async () => {
    await write(put('same', patient({ gender: 'female' })))
    const rowIds = () =>
      opened.database.many<{ kind: string; ctid: string }>(sql`
        select 'strings' as kind, ctid::text from fhir.strings where key = ${resourceKey('Patient', 'same')}::bigint
        union all
        select 'tokens', ctid::text from fhir.tokens where key = ${resourceKey('Patient', 'same')}::bigint
        order by 1, 2`)
    const before = await rowIds()
    await write(put('same', patient({ gender: 'male' })))
    const after = await rowIds()
    const of = (rows: typeof before, kind: string) => rows.filter((row) => row.kind === kind)
    expect(of(after, 'strings')).toEqual(of(before, 'strings'))
    expect(of(after, 'tokens')).not.toEqual(of(before, 'tokens'))
  })

  it('a deleted resource is found by nothing but keeps its compartment', async () => {
    await write(put('left', patient()))
    await write({ ...put('left', patient()), method: 'DELETE', body: undefined })
    const { strings, compartments } = await opened.database.one<{ strings: number; compartments: number }>(sql`
      select (select count(*)::integer from fhir.strings where key = ${resourceKey('Patient', 'left')}::bigint) as strings,
        (select count(*)::integer from fhir.compartments where key = ${resourceKey('Patient', 'left')}::bigint) as compartments`)
    expect([strings, compartments]).toEqual([0, 1])
    const versions = await opened.database.many<{ patients: string[] }>(sql`
      select patients from fhir.versions where key = ${resourceKey('Patient', 'left')}::bigint order by version`)
    expect(versions.map(({ patients }) => patients)).toEqual([
      [resourceKey('Patient', 'left')],
      [resourceKey('Patient', 'left')],
    ])
  })

  it('a reference to an own address is one to the resource', async () => {
    const observation = (reference: string) => ({
      resourceType: 'Observation',
      status: 'final',
      code: { text: 'x' },
      subject: { reference },
    })
    await write(
      put('own', observation('https://own.example/fhir/Patient/a')),
      put('relative', observation('Patient/a')),
      put('other', observation('https://other.example/fhir/Patient/a')),
    )
    const param = parameterKey('Observation', 'subject')
    const found = await opened.database.many<{ id: string }>(sql`
      select r.id from fhir.reference_values as v join fhir.resources as r on r.key = v.key
      where v.param = ${param} and v.target = ${resourceKey('Patient', 'a')}::bigint order by r.id`)
    expect(found.map(({ id }) => id)).toEqual(['own', 'relative'])
    const foreign = await opened.database.many<{ target: string }>(sql`
      select target from fhir.reference_values where param = ${param} and key = ${resourceKey('Observation', 'other')}::bigint`)
    expect(foreign).toEqual([{ target: hash64('https://other.example/fhir/Patient/a') }])
  })

  it('a key that another resource has is refused, never shared', async () => {
    await opened.database.run(sql`
      insert into fhir.resources (key, type, id, version, last_updated, deleted, index_hashes)
      values (${resourceKey('Patient', 'taken')}::bigint, 'Patient', 'somebody-else', 1, now(), false, '{}')`)
    const [outcome] = await write(put('taken', patient()))
    expect(outcome).toMatchObject({ kind: 'refused', fault: { kind: 'conflict', code: 'ID_TAKEN' } })
  })

  it('a hook is told what was written, inside the transaction, and can undo it', async () => {
    const told: unknown[] = []
    const failing = opened.database.transaction((tx) =>
      writeAll([put('hooked', patient())], tx, {
        engine,
        clock: systemClock,
        sets: new SharedSets({ clock: systemClock }),
        hooks: [
          async (written) => {
            told.push(...written)
            throw bug('the hook fails')
          },
        ],
      }),
    )
    await expect(failing).rejects.toThrow('the hook fails')
    expect(told).toEqual([{ type: 'Patient', id: 'hooked', resource: { ...patient(), id: 'hooked' }, isNew: true }])
    const rows = await opened.database.many(sql`select id from fhir.resources where id = 'hooked'`)
    expect(rows).toEqual([])
  })
})
