import { against, drainSeconds, figure, latency, noted, slowest, type Measure } from './measures.ts'

/** What was asked for on two cores, and where it is measured. */
export interface Goal {
  readonly about: string
  readonly benchmark: string
  readonly least?: number
  readonly most?: number
  readonly unit: string
  readonly measure: Measure
}

export const known32 = '32 connections, known patients'
export const known1 = '1 connection, known patients'

export const goals: readonly Goal[] = [
  {
    about: 'Messages through all stages, 32 connections',
    benchmark: 'bridge',
    least: 1_000,
    unit: 'messages/s',
    measure: figure('bridge', known32),
  },
  {
    about: 'Their answer, 99 of 100',
    benchmark: 'bridge',
    most: 150,
    unit: 'ms',
    measure: latency('bridge', known32, 'p99Ms'),
  },
  {
    about: 'Messages on one connection',
    benchmark: 'bridge',
    least: 250,
    unit: 'messages/s',
    measure: figure('bridge', known1),
  },
  {
    about: 'Steady load of a hospital, 8 connections',
    benchmark: 'bridge',
    least: 150,
    unit: 'messages/s',
    measure: figure('bridge', '8 connections, known patients'),
  },
  {
    about: '50,000 parked messages drained, at the measured rate',
    benchmark: 'bridge-drain',
    most: 120,
    unit: 's',
    measure: drainSeconds(50_000),
  },
  {
    about: 'Messages with a million in the log, of those with few',
    benchmark: 'bridge-log',
    least: 0.8,
    unit: 'of them',
    measure: against('bridge-log', 'log of 1,000,000', 'log of 2,000'),
  },
  {
    about: 'Growth of the heap in ten minutes of steady load',
    benchmark: 'bridge-memory',
    most: 0.5,
    unit: 'MB/min',
    measure: noted('bridge-memory', '100 messages a second for 600 s', 'heap MB/min'),
  },
  {
    about: 'Mapping of an admission on one core',
    benchmark: 'hl7-mapping',
    least: 10_000,
    unit: 'messages/s',
    measure: figure('hl7-mapping', 'mapped, admission'),
  },
  {
    about: 'Reading an admission, against node-hl7-client',
    benchmark: 'hl7-mapping',
    least: 5,
    unit: 'times',
    measure: against('hl7-mapping', 'ours, admission', 'node-hl7-client, admission'),
  },
  {
    about: 'Reading 60 results, against node-hl7-client',
    benchmark: 'hl7-mapping',
    least: 5,
    unit: 'times',
    measure: against('hl7-mapping', 'ours, 60 results', 'node-hl7-client, 60 results'),
  },
  {
    about: 'Consent decisions over HTTP among a million',
    benchmark: 'consent-evaluate',
    least: 2_000,
    unit: 'decisions/s',
    measure: figure('consent-evaluate', 'HTTP'),
  },
  {
    about: 'Their answer, 99 of 100',
    benchmark: 'consent-evaluate',
    most: 50,
    unit: 'ms',
    measure: latency('consent-evaluate', 'HTTP', 'p99Ms'),
  },
  {
    about: 'Consent decisions inside one process',
    benchmark: 'consent-evaluate',
    least: 10_000,
    unit: 'decisions/s',
    measure: figure('consent-evaluate', 'in-process, batched'),
  },
  {
    about: 'Conditional updates, 128 callers, 100,000 resources',
    benchmark: 'fhir-store',
    least: 1_500,
    unit: 'updates/s',
    measure: figure('fhir-store', 'conditional updates, 128 callers, 100,000'),
  },
  {
    about: 'A patient looked for among 100,000',
    benchmark: 'patient-match',
    most: 5,
    unit: 'ms',
    measure: latency('patient-match', 'one of 100,000', 'p50Ms'),
  },
  {
    about: 'Code exchanges, of what RS256 alone allows',
    benchmark: 'auth-tokens',
    least: 0.8,
    unit: 'of the limit',
    measure: against('auth-tokens', 'code exchanges', 'RS256 alone'),
  },
  {
    about: 'Refreshes, of what RS256 alone allows',
    benchmark: 'auth-tokens',
    least: 0.8,
    unit: 'of the limit',
    measure: against('auth-tokens', 'refreshes', 'RS256 alone'),
  },
  {
    about: 'The slowest filter of the console, a million messages',
    benchmark: 'console-search',
    most: 200,
    unit: 'ms',
    measure: slowest('console-search'),
  },
]

export const isMet = ({ least, most }: Pick<Goal, 'least' | 'most'>, value: number): boolean =>
  (least === undefined || value >= least) && (most === undefined || value <= most)
