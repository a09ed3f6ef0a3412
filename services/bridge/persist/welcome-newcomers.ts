import type { PatientIndex } from '../../../ports/patient-index/patient-index.ts'
import type { Breakers } from '../breakers/breakers.ts'
import type { Write } from '../mapping/mapped.ts'
import { isLinkedByIndex, recordsForIndex, withGoldenLink } from '../mapping/golden-link.ts'
import type { Person } from '../mapping/person.ts'
import type { Stored } from './stored.ts'

export interface WelcomeDeps {
  readonly index: PatientIndex
  readonly breakers: Pick<Breakers, 'call'>
}

export interface Welcomed {
  readonly writes: readonly Write[]
  readonly people: readonly Person[]
}

/**
 * Whoever is new gets a golden record now that consent has been asked, and their Patient the link to it. Where the numbers
 * of somebody belong to several, the index has somebody decide; until then the link stays as it was found. Who is sent with a
 * number of another record is somebody of their own, and the index hears of that number behind them: both are known then.
 */
export async function welcomeNewcomers(
  writes: readonly Write[],
  people: readonly Person[],
  { taken }: Pick<Stored, 'taken'>,
  signal: AbortSignal,
  { index, breakers }: WelcomeDeps,
): Promise<Welcomed> {
  const urlsOf = (some: readonly Person[]) => new Set(some.map(({ fullUrl }) => fullUrl))
  const newcomers = urlsOf(people.filter(({ goldenId }) => goldenId === undefined))
  const doubtful = urlsOf(people.filter(({ isDoubtful }) => isDoubtful))
  const isAsked = ({ fullUrl }: Write) => newcomers.has(fullUrl) || doubtful.has(fullUrl)
  const asked = writes.filter((write) => isAsked(write) && isLinkedByIndex(write))
  if (asked.length === 0) return { writes, people }
  const records = [
    ...recordsForIndex(asked, writes, taken),
    ...recordsForIndex(
      asked.filter(({ fullUrl }) => taken?.has(fullUrl)),
      writes,
    ),
  ]
  const resolutions = await breakers.call('patient-index', () => index.resolve(records, { signal }), signal)
  const goldenIds = new Map(
    asked
      .map(({ fullUrl }, at) => [fullUrl, resolutions[at]?.goldenId] as const)
      .filter(([fullUrl]) => newcomers.has(fullUrl)),
  )
  return {
    writes: writes.map((write) => withGoldenLink(write, goldenIds.get(write.fullUrl))),
    people: people.map((person) => {
      const goldenId = goldenIds.get(person.fullUrl)
      return goldenId === undefined ? person : { ...person, goldenId }
    }),
  }
}
