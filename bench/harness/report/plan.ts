/** How much of everything a report measures. */
const extents = ['quick', 'usual', 'full'] as const
export type Extent = (typeof extents)[number]

/** How one benchmark is run for a report. */
export interface Plan {
  readonly rounds?: number
  readonly seconds?: number
  /** After so long it is stopped and reported as failed. */
  readonly limitSeconds: number
  readonly environment: Readonly<Record<string, string>>
}

/** Benchmarks whose world takes most of a minute to make: a quick look leaves them out. */
const hasLargeWorld: ReadonlySet<string> = new Set([
  ...[
    'bridge-drain',
    'bridge-log',
    'bridge-memory',
    'consent-evaluate',
    'console-search',
    'fhir-http',
    'fhir-memory',
    'fhir-search',
    'fhir-store',
  ],
  ...['patient-match', 'referral'],
])

/** With many variants a second each is enough; the others get two. */
const hasManyVariants: ReadonlySet<string> = new Set([
  ...['fhir-core', 'fhir-search', 'fhir-store', 'hl7', 'hl7-mapping', 'machine-limits'],
])

/** What they do takes its time, whatever a round is told: one is enough. */
const takesItsTime: ReadonlySet<string> = new Set(['bridge-drain', 'bridge-memory'])

/**
 * The usual report takes about twenty minutes on two cores; the full one takes each benchmark's own rounds, a million
 * resources and messages and ten minutes of steady load, which is some hours. Undefined where the extent leaves a benchmark out.
 */
export function planOf(name: string, extent: Extent): Plan | undefined {
  if (extent === 'full') return { limitSeconds: 3_600, environment: largeWorld }
  if (extent === 'usual')
    return { rounds: roundsOf(name), seconds: secondsOf(name), limitSeconds: 420, environment: {} }
  return hasLargeWorld.has(name) ? undefined : { rounds: 1, seconds: 0.5, limitSeconds: 180, environment: {} }
}

const largeWorld = { BENCH_RESOURCES: '1000000', BENCH_EXTENT: 'long' }

const roundsOf = (name: string): number => (takesItsTime.has(name) ? 1 : 3)

function secondsOf(name: string): number {
  if (name === 'console-search') return 0.5
  if (name.startsWith('bridge')) return 3
  return hasManyVariants.has(name) ? 1 : 2
}
