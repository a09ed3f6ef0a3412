import type { Clock } from '../../../../packages/clock/clock.ts'
import type { Patient, Resource } from '../../../../packages/fhir/r4.ts'
import type { FhirStore, SearchParameters } from '../../../fhir-store/fhir-store.ts'
import type { CallOptions } from '../../../call-options.ts'
import type { MergeNews } from '../merge-news.ts'

type Stored = Patient & { readonly id: string; readonly meta: { readonly lastUpdated: string } }

/** Patients and who was merged into whom, as a server that understands just what every R4 server does would find them. */
export function patientStore(clock: Pick<Clock, 'now'>) {
  const stored = new Map<string, Stored>()
  const hearing = new Set<(patientIds: readonly string[]) => void>()
  let looks = 0
  const news: MergeNews = (hear) => {
    hearing.add(hear)
    return () => hearing.delete(hear)
  }
  const matches = (parameters: SearchParameters) => {
    looks++
    const { active, _id, _lastUpdated = 'ge1900-01-01T00:00:00.000Z' } = textsOf(parameters)
    const ids = _id?.split(',')
    const isSince = comparisons[_lastUpdated.slice(0, 2)]
    if (isSince === undefined) throw new Error(`This server does not understand ${_lastUpdated}.`)
    return [...stored.values()]
      .filter((patient) => active === undefined || String(patient.active) === active)
      .filter(({ id }) => ids === undefined || ids.includes(id))
      .filter(({ meta }) => isSince(meta.lastUpdated, _lastUpdated.slice(2)))
      .toSorted((one, other) => (one.meta.lastUpdated < other.meta.lastUpdated ? -1 : 1))
  }
  // Sound: whoever searches for patients means patients.
  const searchAll = async <T extends Resource>(_type: string, parameters: SearchParameters) =>
    matches(parameters) as Resource[] as T[]
  const store: Pick<FhirStore, 'search' | 'searchAll'> = {
    searchAll,
    search: async <T extends Resource>(type: string, parameters: SearchParameters, _call?: CallOptions) =>
      (await searchAll<T>(type, parameters)).slice(0, Math.min(Number(parameters['_count'] ?? 20), pageMax)),
  }
  return {
    ...{ store, news },
    /** How often it was asked anything. */
    looks: () => looks,
    put(id: string, into?: string, { active = into === undefined } = {}): void {
      const link =
        into === undefined ? {} : { link: [{ type: 'replaced-by', other: { reference: `Patient/${into}` } }] }
      const meta = { lastUpdated: clock.now().toISOString() }
      // Sound: it has the members of one.
      stored.set(id, { resourceType: 'Patient', id, active, meta, ...link } as Stored)
      if (into !== undefined) for (const hear of hearing) hear([id])
    },
  }
}

/** Less than anybody asks for, as servers may. */
const pageMax = 20

const comparisons: Readonly<Record<string, (one: string, other: string) => boolean>> = {
  ge: (one, other) => one >= other,
  gt: (one, other) => one > other,
  eq: (one, other) => one === other,
}

const textsOf = (parameters: SearchParameters) =>
  Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)])) as Partial<
    Record<string, string>
  >
