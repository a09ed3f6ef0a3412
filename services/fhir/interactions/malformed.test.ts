import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultOf } from '../../../packages/faults/fault.ts'
import { fullAccess } from '../scopes/access.ts'
import { fhirWorld, type FhirWorld } from '../testing/fhir-world.ts'
import type { Answer } from './answer.ts'
import { processBundle } from './bundle/process-bundle.ts'
import { history } from './history.ts'
import { patch } from './patch.ts'
import { read, vread } from './read.ts'
import { search } from './search.ts'
import { create, remove, removeMatching, update, updateMatching } from './write.ts'

// Whatever is sent, it is answered or refused; nothing is ever our own fault.
describe('malformed input', () => {
  let world: FhirWorld
  beforeAll(async () => {
    world = await fhirWorld()
    const resource = { resourceType: 'Patient', id: 'a', identifier: [{ system: 'urn:a', value: '1' }] }
    await update({ type: 'Patient', id: 'a', resource, access: fullAccess }, world.deps)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const hardText = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom(
      '\0',
      '\ud800',
      '%',
      '%00',
      '__proto__',
      'constructor',
      "'; drop table x; --",
      '1e400',
      '|',
      '\\',
      ',',
    ),
  )
  const type = fc.oneof(fc.constantFrom('Patient', 'Observation', 'Bundle', 'Binary', 'Nonsense'), hardText)
  const id = fc.oneof(fc.constantFrom('a', 'b'), hardText)
  const query = fc
    .array(
      fc.tuple(
        fc.constantFrom('identifier', '_id', 'family', 'birthdate', 'name:exact', '_count', '_since', '_cursor', 'x'),
        fc.oneof(hardText, fc.constantFrom('urn:a|1', '1', 'ge2020', '0')),
      ),
      { maxLength: 3 },
    )
    .map((pairs) => new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString())
  const element = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
    hardText,
    fc.constantFrom<unknown>(
      [{ system: 'urn:a', value: '1' }],
      [{ family: '\0' }],
      { reference: 'Patient?identifier=1' },
      'final',
    ),
  )
  const resource = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
    fc
      .tuple(
        type,
        id,
        fc.dictionary(fc.constantFrom('identifier', 'name', 'subject', 'status', 'code', 'meta', 'text'), element),
      )
      .map(([resourceType, own, rest]): unknown => ({ resourceType, id: own, ...rest })),
  )
  const url = fc.oneof(
    fc.tuple(type, id).map(([one, other]) => `${one}/${other}`),
    fc.tuple(type, query).map(([one, asked]) => `${one}?${asked}`),
    fc.constantFrom('Patient/a', 'Patient', 'Patient/a/_history', '_history', 'Patient/a/$everything', 'Patient/a/*'),
    hardText,
  )
  const entry = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
    fc
      .tuple(fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'), url, resource, query, hardText)
      .map(([method, place, sent, ifNoneExist, tag]): unknown => ({
        fullUrl: tag,
        resource: sent,
        request: { method, url: place, ...(tag.length % 2 === 0 ? { ifNoneExist, ifMatch: tag } : {}) },
      })),
  )

  /** The kind of the fault, or that there was none. */
  async function outcomeOf(work: () => Promise<Answer> | Answer): Promise<string> {
    try {
      return (await work()).kind
    } catch (thrown) {
      const fault = faultOf(thrown)
      // So that a failure says what it was.
      return fault.kind === 'bug' ? `bug: ${fault.message} ${String(fault.cause)}` : fault.kind
    }
  }
  const holds = async (work: () => Promise<Answer> | Answer) =>
    expect(await outcomeOf(work)).toMatch(
      /^(found|created|updated|kept|deleted|absent|made|not-modified|incorrect|missing|conflict|unprocessable|forbidden)$/,
    )

  const access = fullAccess
  it('of single resources', { timeout: 60_000 }, async () => {
    expect.hasAssertions()
    await fc.assert(
      fc.asyncProperty(type, id, query, resource, async (one, own, asked, sent) => {
        const { deps } = world
        await holds(() => create({ type: one, resource: sent, unless: asked, access }, deps))
        await holds(() => update({ type: one, id: own, resource: sent, access }, deps))
        await holds(() => updateMatching({ type: one, query: asked, resource: sent, access }, deps))
        await holds(() => patch({ type: one, id: own, patch: sent, access }, deps))
        await holds(() => read({ type: one, id: own, access }, deps, deps.database))
        await holds(() => vread({ type: one, id: own, version: own, access }, deps, deps.database))
        await holds(() => history({ type: one, id: own, query: asked, access, isStrict: false }, deps, deps.database))
        await holds(() => search({ type: one, query: asked, access, isStrict: false }, deps, deps.database))
        await holds(() => remove({ type: one, id: own === 'a' ? 'b' : own, access }, deps))
        await holds(() => removeMatching({ type: one, query: `${asked}&identifier=nobody`, access }, deps))
      }),
      { numRuns: 60 },
    )
  })

  it('of bundles', { timeout: 60_000 }, async () => {
    expect.hasAssertions()
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('batch', 'transaction'),
        fc.array(entry, { maxLength: 4 }),
        async (kind, entries) => {
          const bundle = { resourceType: 'Bundle', type: kind, entry: entries }
          await holds(() => processBundle({ bundle, access, shows: 'resource', isStrict: false }, world.deps))
        },
      ),
      { numRuns: 150 },
    )
  })
})
