import { describe, expect, it } from 'vitest'
import type { Organization } from '../../packages/fhir/r4.ts'
import type { FacilityRegistry } from './facility-registry.ts'
import { facilityCodeSystem, namespaceExtension, timeZoneExtension } from './organization.ts'

export interface FacilityRegistryWorld {
  readonly registry: FacilityRegistry
  /** The same, in demo mode. */
  readonly welcoming: FacilityRegistry
  readonly put: (organization: Organization & { readonly id: string }) => Promise<unknown>
}

/** What every implementation of the port keeps. */
export function facilityRegistryContract(name: string, letter: string, world: () => FacilityRegistryWorld): void {
  const organization = (id: string, code: string): Organization & { readonly id: string } => ({
    resourceType: 'Organization',
    id: `${letter}-${id}`,
    identifier: [{ system: facilityCodeSystem, value: code }],
    active: true,
    name: `Facility ${code}`,
  })
  const codeOf = (word: string) => `${letter.toUpperCase()}-${word}`

  describe(`the facility registry, ${name}`, () => {
    it('finds many facilities by their codes at once, and leaves out the unknown', async () => {
      const { registry, put } = world()
      await put(organization('one', codeOf('ONE')))
      await put(organization('two', codeOf('TWO')))
      const found = await registry.find([codeOf('ONE'), codeOf('NOBODY'), codeOf('TWO'), codeOf('ONE')])
      expect([...found.keys()].sort()).toEqual([codeOf('ONE'), codeOf('TWO')])
      expect(found.get(codeOf('ONE'))).toEqual({
        code: codeOf('ONE'),
        organization: `Organization/${letter}-one`,
        name: `Facility ${codeOf('ONE')}`,
        namespaces: new Map(),
      })
      expect(await registry.find([])).toEqual(new Map())
    })

    it('tells the zone and the namespaces of a facility', async () => {
      const { registry, put } = world()
      await put({
        ...organization('zoned', codeOf('ZONED')),
        extension: [
          { url: timeZoneExtension, valueCode: 'Africa/Dakar' },
          {
            url: namespaceExtension,
            extension: [
              { url: 'name', valueString: 'MRN' },
              { url: 'system', valueUri: 'urn:zoned:mrn' },
            ],
          },
        ],
      })
      expect((await registry.find([codeOf('ZONED')])).get(codeOf('ZONED'))).toMatchObject({
        timeZone: 'Africa/Dakar',
        namespaces: new Map([['MRN', 'urn:zoned:mrn']]),
      })
    })

    it('knows no facility that has closed', async () => {
      const { registry, put } = world()
      await put({ ...organization('closed', codeOf('CLOSED')), active: false })
      expect(await registry.find([codeOf('CLOSED')])).toEqual(new Map())
    })

    it.each(['A,B', 'A|B', 'A$B', String.raw`A\B`, 'Ä ö'])('takes the code %s as it is', async (word) => {
      const { registry, put } = world()
      const code = codeOf(word)
      await put(organization(`odd-${word.charCodeAt(1)}`, code))
      expect([...(await registry.find([code])).keys()]).toEqual([code])
    })

    it('says so when two facilities have one code, and knows neither', async () => {
      const { registry, put } = world()
      for (const id of ['twin-1', 'twin-2']) await put(organization(id, codeOf('TWINS')))
      await expect(registry.find([codeOf('TWINS')])).rejects.toMatchObject({
        ...{ kind: 'conflict', code: 'CODE_NOT_UNIQUE' },
      })
    })

    it('registers an unknown facility on first sight in demo mode, once', async () => {
      const { registry, welcoming } = world()
      const code = codeOf('FIRST')
      const answers = await Promise.all([welcoming.find([code]), welcoming.find([code])])
      const organizations = new Set(answers.map((answer) => answer.get(code)?.organization))
      expect(organizations.size).toBe(1)
      expect((await registry.find([code])).get(code)?.organization).toBe([...organizations][0])
    })

    it('is given up when whoever asked has gone', async () => {
      await expect(world().registry.find([codeOf('ONE')], { signal: AbortSignal.abort() })).rejects.toBeDefined()
    })
  })
}
