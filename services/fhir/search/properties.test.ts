import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Fault } from '../../../packages/faults/fault.ts'
import { parseCursor } from './cursor.ts'
import { escape, splitAt, unescape } from './parse/escapes.ts'
import { searchLimits } from './parse/parse-context.ts'
import { parseSearch } from './parse/parse-search.ts'
import { pairsOf, queryText } from './parse/query-text.ts'
import { successorOf } from './sql/rows/strings.ts'
import { searchWorld, type SearchWorld } from './testing/search-world.ts'
import { ward } from './testing/ward.ts'

const noFaultsBut = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.kind === 'incorrect') return undefined
    throw thrown
  }
}

/** Pieces of queries, right and wrong, so that generated ones get past the first check. */
const pieces = [
  'name',
  'birthdate',
  'identifier',
  'gender',
  'link',
  '_id',
  '_sort',
  '_include',
  '_revinclude',
  '_has',
  '_count',
  '_elements',
  '_summary',
  '_cursor',
  '_lastUpdated',
  'Patient',
  'Observation',
  ':',
  '.',
  ',',
  '|',
  '$',
  '\\',
  '&',
  '=',
  '%',
  '%00',
  '+',
  'ge',
  '2024-02',
  '1e400',
  '-',
  'exact',
  'missing',
  'true',
  'patient',
  'code',
  '*',
  'http://a/b',
  ' ',
]
const queries = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 })), {
  maxLength: 12,
})

describe('whatever is asked', () => {
  let world: SearchWorld
  beforeAll(async () => {
    world = await searchWorld()
    await world.put(...ward)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const context = () => ({
    definitions: world.definitions,
    ownBases: ['http://own'],
    now: new Date('2024-06-01'),
    limits: searchLimits,
  })

  it('the parser answers, or refuses with a fault of the caller', () => {
    fc.assert(
      fc.property(
        queries,
        fc.constantFrom('Patient', 'Observation', undefined),
        fc.boolean(),
        (parts, type, strict) => {
          const read = noFaultsBut(() => parseSearch(pairsOf(parts.join('')), { type, strict }, context()))
          expect(read?.count ?? 0).toBeLessThanOrEqual(searchLimits.countMax)
        },
      ),
      { numRuns: 1_500 },
    )
  })

  it('a cursor is read, or refused with a fault of the caller', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((text) => Buffer.from(text).toString('base64url')),
        ),
        (text) => {
          expect(noFaultsBut(() => parseCursor(text, [], 'f'))).toBeUndefined()
        },
      ),
    )
  })

  it('what the parser takes the database takes too', async () => {
    await fc.assert(
      fc.asyncProperty(queries, fc.constantFrom('Patient', 'Observation'), async (parts, type) => {
        const query = parts.join('')
        const read = noFaultsBut(() => parseSearch(pairsOf(query), { type, strict: true }, context()))
        if (read === undefined || read.cursor !== undefined) return
        const failure = await world.page(`${type}?${query}`).then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
        // A value set that nobody knows is found out later than the rest.
        expect([undefined, 'incorrect']).toContain((failure as Fault | undefined)?.kind)
      }),
      { numRuns: 150 },
    )
  })

  const terms = fc.constantFrom(
    'gender=male',
    'gender=female',
    'gender:not=male',
    'family=diallo',
    'given:contains=a',
    'birthdate=ge1985',
    'birthdate=lt1985',
    'birthdate:missing=true',
    'identifier=1',
    '_id=amina',
    '_id:not=amina',
    'active=true',
    '_has:Observation:patient:status=final',
    'general-practitioner:Practitioner.name=amara',
  )

  it('"and" is the intersection', async () => {
    await fc.assert(
      fc.asyncProperty(terms, terms, async (some, other) => {
        const [left, right, both] = await Promise.all(
          [some, other, `${some}&${other}`].map((query) => world.find(`Patient?${query}`)),
        )
        expect(both).toEqual(left?.filter((name) => right?.includes(name)))
      }),
      { numRuns: 40 },
    )
  })

  const valued = fc.constantFrom(
    ['gender', 'male', 'female'],
    ['family', 'diallo', 'nunez'],
    ['birthdate', '1980', 'gt1985'],
    ['identifier', 'urn:mrn|1', '2'],
    ['_id', 'amina', 'noor'],
    ['_has:Observation:patient:code', '2339-0', '72166-2'],
  )

  it('"or" is the union, and its negation the rest', async () => {
    await fc.assert(
      fc.asyncProperty(valued, async ([name = '', some = '', other = '']) => {
        const [left = [], right = [], either = []] = await Promise.all(
          [some, other, `${some},${other}`].map((value) => world.find(`Patient?${name}=${value}`)),
        )
        expect(either).toEqual([...new Set([...left, ...right])].sort())
      }),
      { numRuns: 12 },
    )
    const all = await world.find('Patient')
    const [positive, negative] = [await world.find('Patient?gender=male'), await world.find('Patient?gender:not=male')]
    expect([...positive, ...negative].sort()).toEqual(all)
  })

  it('what is escaped is read back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('\\', ',', '|', '$', 'a', 'é') }), { minLength: 1 }),
        (texts) => {
          for (const separator of [',', '|', '$'] as const) {
            expect(splitAt(texts.map(escape).join(separator), separator).map(unescape)).toEqual(texts)
          }
        },
      ),
    )
  })

  it('what is written into a link is read back', () => {
    const text = fc.string({ unit: 'binary' }).filter((each) => each.isWellFormed())
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            text.filter((each) => each !== ''),
            text,
          ),
        ),
        (pairs) => {
          expect(pairsOf(queryText(pairs))).toEqual(pairs)
        },
      ),
    )
  })

  it('the successor of a text lies above all that begin with it, and nothing else between', () => {
    const bytes = (text: string) => Buffer.from(text, 'utf8')
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ unit: 'binary' }), (text, more) => {
        if (!text.isWellFormed() || !more.isWellFormed()) return
        const next = successorOf(text)
        if (next === undefined) return
        expect(Buffer.compare(bytes(next), bytes(text + more))).toBe(1)
        expect(Buffer.compare(bytes(more), bytes(next)) === -1 && Buffer.compare(bytes(more), bytes(text)) >= 0).toBe(
          more.startsWith(text),
        )
      }),
    )
  })
})

describe('an injection', () => {
  let world: SearchWorld
  beforeAll(async () => {
    world = await searchWorld()
    await world.put(...ward)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const payloads = [
    "' or true --",
    "'; drop table fhir.resources; --",
    '$1',
    '%',
    "\\'",
    '")',
    '{}',
    "x') union select * from fhir.versions --",
  ]
  const positions = [
    'family=*',
    'family:exact=*',
    'family:contains=*',
    'identifier=*',
    'identifier=urn:x|*',
    'identifier:of-type=a|b|*',
    'gender:text=*',
    '_id=*',
    '_tag=*',
    '_profile=*',
    '_profile:below=http://*',
    'general-practitioner=http://*',
    'general-practitioner:identifier=*',
    'link:Patient.family=*',
    '_has:Observation:patient:code=*',
    'birthdate=*',
    '_sort=*',
    '_include=*',
    '_elements=*',
    '_cursor=*',
    '_count=*',
    '_summary=*',
    '*=1',
    'family:*=1',
    '_has:*:patient:code=1',
    '_has:Observation:*:code=1',
    'link:*.family=1',
    'link.*=1',
    'gender:in=*',
    'gender:below=a|*',
  ]

  it.each(positions)('in the place of the star in %s is a value or refused', async (position) => {
    for (const payload of payloads) {
      const query = position.replace('*', encodeURIComponent(payload).replaceAll('%2C', ','))
      const found = await world.find(`Patient?${query}`).catch((thrown: unknown) => {
        if (thrown instanceof Fault && thrown.kind === 'incorrect') return []
        throw thrown
      })
      expect(found, query).toEqual([])
    }
  })
})
