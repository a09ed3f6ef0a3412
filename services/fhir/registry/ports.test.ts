import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import {
  bug,
  conflict,
  forbidden,
  tooMuch,
  unauthenticated,
  unavailable,
  type Fault,
} from '../../../packages/faults/fault.ts'
import type { Outbound } from '../../../packages/http/outbound/outbound.ts'
import { cachedFacilityRegistry } from '../../../ports/facility-registry/cached-facility-registry.ts'
import { facilityRegistryContract } from '../../../ports/facility-registry/contract.ts'
import type {
  Facility,
  FacilityRegistry,
  RegistrationOptions,
} from '../../../ports/facility-registry/facility-registry.ts'
import { httpFacilityRegistry } from '../../../ports/facility-registry/http-facility-registry.ts'
import { outboundTo } from '../patient-index/testing/outbound-to.ts'
import { fhirWorld, program, tokenOf, type FhirWorld } from '../testing/fhir-world.ts'
import { facilityRegistryInProcess } from './in-process.ts'

let world: FhirWorld
let outbound: Outbound
beforeAll(async () => {
  world = await fhirWorld()
  outbound = outboundTo(world.base)
})
afterAll(async () => {
  await outbound.close()
  await world[Symbol.asyncDispose]()
})

const put = (organization: { readonly id: string }) =>
  world.call('PUT', `/Organization/${organization.id}`, { body: organization })

const inProcess = (options: RegistrationOptions): FacilityRegistry => facilityRegistryInProcess(options, world.deps)

const overHttp = (options: RegistrationOptions): FacilityRegistry =>
  httpFacilityRegistry({ base: world.base, outbound, token: async () => tokenOf(program), ...options })

facilityRegistryContract('in process', 'p', () => ({
  registry: inProcess({ registersOnFirstSight: false }),
  welcoming: inProcess({ registersOnFirstSight: true }),
  put,
}))

facilityRegistryContract('of any R4 server', 'h', () => ({
  registry: overHttp({ registersOnFirstSight: false }),
  welcoming: overHttp({ registersOnFirstSight: true }),
  put,
}))

facilityRegistryContract('cached', 'c', () => {
  const cached = (registry: FacilityRegistry) => cachedFacilityRegistry(registry, { clock: new SimulatedClock() })
  return {
    registry: cached(inProcess({ registersOnFirstSight: false })),
    welcoming: cached(inProcess({ registersOnFirstSight: true })),
    put,
  }
})

describe.each([
  { where: 'in process', make: inProcess },
  { where: 'over HTTP', make: overHttp },
])('a facility that is registered on first sight $where', ({ where, make }) => {
  const [walkIn, waiting] = [`WALK-IN ${where}`, `WAITING ${where}`]

  it('gets its policy before it is told of, once a process, and again by a process that did not see it', async () => {
    const welcomed: string[] = []
    const onRegistered = async ({ code }: Facility) => void welcomed.push(code)
    const first = make({ registersOnFirstSight: true, onRegistered })
    await first.find([walkIn])
    await first.find([walkIn])
    expect(welcomed).toEqual([walkIn])
    await make({ registersOnFirstSight: true, onRegistered }).find([walkIn])
    expect(welcomed).toEqual([walkIn, walkIn])
  })

  it('is not told of while its policy cannot be written', async () => {
    const registry = make({
      registersOnFirstSight: true,
      onRegistered: () => Promise.reject(new Error('no consent service')),
    })
    await expect(registry.find([waiting])).rejects.toThrow('no consent service')
    await expect(registry.find([waiting])).rejects.toThrow('no consent service')
  })
})

describe('the cache', () => {
  it('asks again after five minutes, and soon for who was unknown', async () => {
    const clock = new SimulatedClock()
    const asked: string[] = []
    const known: Facility = { code: 'A', organization: 'Organization/a', name: 'A', namespaces: new Map() }
    const registry = cachedFacilityRegistry(
      {
        async find(codes) {
          asked.push(codes.join())
          return new Map(codes.includes('A') ? [['A', known]] : [])
        },
      },
      { clock },
    )
    await registry.find(['A', 'B'])
    await registry.find(['A', 'B'])
    expect(asked).toEqual(['A,B'])
    expect([registry.remembered?.('A'), registry.remembered?.('B')]).toEqual([known, undefined])
    await clock.advance(10_000)
    await registry.find(['A', 'B'])
    expect(asked).toEqual(['A,B', 'B'])
    await clock.advance(290_000)
    expect(registry.remembered?.('A')).toBeUndefined()
    expect(await registry.find(['A'])).toEqual(new Map([['A', known]]))
    expect(asked).toEqual(['A,B', 'B', 'A'])
  })

  describe('of a registry that cannot be asked', () => {
    const facility = (code: string): Facility => ({ code, organization: `Organization/${code}`, ...named })
    const named = { name: 'Somebody', namespaces: new Map<string, string>() }
    const hourMs = 3_600_000
    const known = new Map(['A', 'B'].map((code) => [code, facility(code)]))

    /** It knows A and B, and fails as it is told. */
    function failingRegistry() {
      const clock = new SimulatedClock()
      const state: { fails: Fault | undefined; knows: ReadonlyMap<string, Facility> } = {
        fails: undefined,
        knows: known,
      }
      const registry = cachedFacilityRegistry(
        {
          async find() {
            if (state.fails !== undefined) throw state.fails
            return state.knows
          },
        },
        { clock, keptWhileAwayMs: 24 * hourMs },
      )
      return { clock, state, registry }
    }

    it.each([
      ['is away', unavailable('away')],
      ['has too much to do', tooMuch('later')],
    ])('because it %s, what it said holds for a day and no longer', async (_, fault) => {
      const { clock, state, registry } = failingRegistry()
      await registry.find(['A', 'B'])
      state.fails = fault
      await clock.advance(24 * hourMs - 1)
      expect(await registry.find(['A'])).toEqual(new Map([['A', facility('A')]]))
      expect([...(await registry.find(['A', 'B'])).keys()]).toEqual(['A', 'B'])
      expect(registry.remembered?.('A')).toBeUndefined()
      await clock.advance(1)
      await expect(registry.find(['A'])).rejects.toBe(fault)
    })

    it('nobody is known whom it did not know', async () => {
      const { state, registry, clock } = failingRegistry()
      await registry.find(['A', 'C'])
      await clock.advance(hourMs)
      state.fails = unavailable('away')
      await expect(registry.find(['C'])).rejects.toBe(state.fails)
      await expect(registry.find(['D'])).rejects.toBe(state.fails)
      await expect(registry.find(['A', 'C'])).rejects.toBe(state.fails)
    })

    it.each([forbidden('no'), unauthenticated('who?'), conflict('two of them'), bug('broken')])(
      'but refuses ($kind), nothing is known',
      async (fault) => {
        const { state, registry, clock } = failingRegistry()
        await registry.find(['A'])
        await clock.advance(hourMs)
        state.fails = fault
        await expect(registry.find(['A'])).rejects.toBe(fault)
      },
    )

    it('for whoever has gone, nothing is known', async () => {
      const { state, registry, clock } = failingRegistry()
      await registry.find(['A'])
      await clock.advance(hourMs)
      state.fails = unavailable('given up')
      await expect(registry.find(['A'], { signal: AbortSignal.abort() })).rejects.toBe(state.fails)
    })

    it('a facility that it no longer knows is not known afterwards either', async () => {
      const { state, registry, clock } = failingRegistry()
      await registry.find(['A'])
      await clock.advance(hourMs)
      state.knows = new Map()
      expect(await registry.find(['A'])).toEqual(new Map())
      await clock.advance(hourMs)
      state.fails = unavailable('away')
      await expect(registry.find(['A'])).rejects.toBe(state.fails)
    })
  })
})

describe('the facility registry of any R4 server', () => {
  it.each([
    ['does not know us', {}, 'unauthenticated'],
    ['does not let us', { token: async () => tokenOf({ ...program, scope: 'system/Patient.rs' }) }, 'forbidden'],
  ])('that %s is told from one that is away', async (_, rights, kind) => {
    const registry = httpFacilityRegistry({ base: world.base, outbound, ...rights })
    await expect(registry.find(['ANY'])).rejects.toMatchObject({ kind })
  })
})
