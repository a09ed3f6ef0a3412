import type { Span } from './calendar.ts'
import type { Antigen } from './vaccine-codes.ts'

/** Series that a programme may have or not. */
export const optionalSeries = ['yellow-fever', 'meningococcal-a', 'typhoid', 'influenza', 'covid-19'] as const

export type SeriesId =
  | (typeof optionalSeries)[number]
  | 'bcg'
  | 'hepatitis-b'
  | 'polio-oral'
  | 'polio-inactivated'
  | 'dtp'
  | 'hib'
  | 'pneumococcal'
  | 'rotavirus'
  | 'measles'
  | 'rubella'
  | 'hpv'

/** When one dose of a series may and should be given. */
export interface DoseRule {
  /** Before this age it does not count. */
  readonly minAge: Span
  readonly recommendedAge: Span
  /** Sooner after the dose before it does not count. */
  readonly minInterval?: Span
  readonly recommendedInterval?: Span
  /** From this age on it is overdue; else four weeks after it was recommended. */
  readonly overdueAge?: Span
  /** The vaccine to give, when it is another one than that of the series. */
  readonly give?: Vaccine
  /** From an age on another one. */
  readonly giveFrom?: FromAge
}

export interface FromAge {
  readonly age: Span
  readonly vaccine: Vaccine
}

export interface Vaccine {
  /** CVX. */
  readonly code: string
  readonly name: string
}

/** A row of doses for those whose first dose is given from an age on: who starts late needs fewer, or later ones. */
export interface Plan {
  readonly id: string
  readonly startsFrom: Span
  readonly doses: readonly DoseRule[]
}

export interface Series {
  readonly id: SeriesId
  readonly give: Vaccine
  /** From an age on another vaccine is given. */
  readonly giveFrom?: FromAge
  /** What counts. */
  readonly antigens: readonly Antigen[]
  /** Counts as well, from an age on: tetanus and diphtheria alone is a booster. */
  readonly alsoFrom?: { readonly age: Span; readonly antigens: readonly Antigen[] }
  /** Doses before this age are extra ones that no plan counts, such as the polio dose at birth. */
  readonly extraBefore?: Span
  /** From the youngest start on. */
  readonly plans: readonly Plan[]
  /** Other ways to be complete: so many doses of these, one kind after the other. */
  readonly completeWith?: readonly Partial<Record<Antigen, number>>[]
  /** From this age on it is no longer begun or continued; nothing where it has no end. */
  readonly endsAt?: Span
  readonly sex?: 'female'
  /** Not by mouth: waits four weeks after another live vaccine by injection or through the nose, unless on the same day. */
  readonly isLive?: true
  /** Once a year, without an end. */
  readonly isYearly?: true
  /** Only where the programme has it, or the record shows that it was given. */
  readonly isOptional?: true
  /** Where WHO says so. */
  readonly source: string
}

/** Four weeks: the shortest interval between two doses of nearly everything. */
export const fourWeeks: Span = '4w'

const infantSeries = (minAge: Span = '6w'): DoseRule[] => [
  { minAge, recommendedAge: '6w' },
  { minAge, recommendedAge: '10w', minInterval: fourWeeks },
  { minAge, recommendedAge: '14w', minInterval: fourWeeks },
]

const tables = 'WHO recommendations for routine immunization, tables 1–3 (2023)'
const td: Vaccine = { code: '139', name: 'Tetanus and diphtheria (Td)' }
const dtpBooster: Vaccine = { code: '107', name: 'DTP booster' }
/** Td holds less diphtheria toxoid than a small child needs, and nothing against pertussis. */
const tdFromFour = { give: dtpBooster, giveFrom: { age: '4y', vaccine: td } } as const

/**
 * The routine schedule that WHO recommends, in the form most programmes use: 6, 10 and 14 weeks, 9 and 15 months. A
 * country that differs edits this table and nothing else.
 */
export const schedule: readonly Series[] = [
  {
    id: 'bcg',
    give: { code: '19', name: 'BCG' },
    antigens: ['bcg'],
    plans: [{ id: 'birth', startsFrom: '0d', doses: [{ minAge: '0d', recommendedAge: '0d' }] }],
    endsAt: '5y',
    isLive: true,
    source: `${tables}; BCG position paper, 2018`,
  },
  {
    id: 'hepatitis-b',
    give: { code: '45', name: 'Hepatitis B' },
    antigens: ['hepatitis-b'],
    plans: [
      {
        id: 'birth',
        startsFrom: '0d',
        doses: [
          { minAge: '0d', recommendedAge: '0d', overdueAge: '1d' },
          { minAge: '4w', recommendedAge: '6w', minInterval: fourWeeks },
          { minAge: '8w', recommendedAge: '10w', minInterval: fourWeeks },
        ],
      },
      { id: 'without-birth-dose', startsFrom: '4w', doses: infantSeries('4w') },
    ],
    endsAt: '18y',
    source: `${tables}; hepatitis B position paper, 2017`,
  },
  {
    id: 'polio-oral',
    give: { code: '178', name: 'Oral polio vaccine (bOPV)' },
    antigens: ['opv'],
    extraBefore: '4w',
    plans: [{ id: 'infant', startsFrom: '0d', doses: infantSeries() }],
    completeWith: [{ ipv: 3 }, { ipv: 2, opv: 2 }],
    endsAt: '18y',
    source: `${tables}; polio position paper, 2022`,
  },
  {
    id: 'polio-inactivated',
    give: { code: '10', name: 'Inactivated polio vaccine (IPV)' },
    // A fifth of a dose into the skin serves beside oral doses, and not instead of them.
    antigens: ['ipv', 'fractional-ipv'],
    plans: [
      {
        id: 'with-oral',
        startsFrom: '0d',
        doses: [
          // Early programmes give it with the first doses of the others; it counts from six weeks on.
          { minAge: '6w', recommendedAge: '14w' },
          {
            ...{ minAge: '6w', minInterval: fourWeeks },
            ...{ recommendedAge: '14w', recommendedInterval: '4m', overdueAge: '10m' },
          },
        ],
      },
    ],
    endsAt: '18y',
    source: `${tables}; polio position paper, 2022`,
  },
  {
    id: 'dtp',
    give: { code: '198', name: 'DTP-HepB-Hib (pentavalent)' },
    giveFrom: { age: '7y', vaccine: td },
    antigens: ['dtp'],
    alsoFrom: { age: '12m', antigens: ['td'] },
    plans: [
      {
        id: 'infant',
        startsFrom: '0d',
        doses: [
          ...infantSeries(),
          {
            ...{ minAge: '12m', recommendedAge: '12m', overdueAge: '2y', minInterval: '6m' },
            give: dtpBooster,
          },
          {
            minAge: '4y',
            recommendedAge: '4y',
            overdueAge: '8y',
            minInterval: '1y',
            give: td,
          },
          {
            minAge: '9y',
            recommendedAge: '9y',
            overdueAge: '16y',
            minInterval: '1y',
            give: td,
          },
        ],
      },
      {
        id: 'late-start',
        startsFrom: '1y',
        doses: [
          { minAge: '1y', recommendedAge: '1y' },
          { minAge: '1y', recommendedAge: '1y', minInterval: fourWeeks },
          { minAge: '1y', recommendedAge: '1y', minInterval: '6m' },
          { minAge: '2y', recommendedAge: '2y', minInterval: '1y', ...tdFromFour },
          { minAge: '3y', recommendedAge: '3y', minInterval: '1y', ...tdFromFour },
        ],
      },
    ],
    endsAt: '18y',
    source: `${tables}; diphtheria, tetanus (2017) and pertussis (2015) position papers`,
  },
  {
    id: 'hib',
    give: { code: '17', name: 'Haemophilus influenzae type b' },
    antigens: ['hib'],
    plans: [
      { id: 'infant', startsFrom: '0d', doses: infantSeries() },
      { id: 'late-start', startsFrom: '12m', doses: [{ minAge: '12m', recommendedAge: '12m' }] },
    ],
    endsAt: '5y',
    source: `${tables}; Hib position paper, 2013`,
  },
  {
    id: 'pneumococcal',
    give: { code: '152', name: 'Pneumococcal conjugate' },
    antigens: ['pneumococcal'],
    plans: [
      { id: 'infant', startsFrom: '0d', doses: infantSeries() },
      {
        id: 'late-start',
        startsFrom: '12m',
        doses: [
          { minAge: '12m', recommendedAge: '12m' },
          { minAge: '12m', recommendedAge: '12m', minInterval: fourWeeks, recommendedInterval: '8w' },
        ],
      },
      { id: 'very-late-start', startsFrom: '24m', doses: [{ minAge: '24m', recommendedAge: '24m' }] },
    ],
    endsAt: '5y',
    source: `${tables}; pneumococcal conjugate position paper, 2019`,
  },
  {
    id: 'rotavirus',
    give: { code: '122', name: 'Rotavirus' },
    antigens: ['rotavirus'],
    plans: [{ id: 'infant', startsFrom: '0d', doses: infantSeries() }],
    completeWith: [{ 'rotavirus-monovalent': 2 }],
    endsAt: '24m',
    source: `${tables}; rotavirus position paper, 2021`,
  },
  {
    id: 'measles',
    give: { code: '04', name: 'Measles and rubella' },
    antigens: ['measles'],
    extraBefore: '9m',
    plans: [
      {
        id: 'two-doses',
        startsFrom: '0d',
        doses: [
          { minAge: '9m', recommendedAge: '9m' },
          { minAge: '9m', recommendedAge: '15m', minInterval: fourWeeks },
        ],
      },
    ],
    endsAt: '18y',
    isLive: true,
    source: `${tables}; measles position paper, 2017`,
  },
  {
    id: 'rubella',
    give: { code: '04', name: 'Measles and rubella' },
    antigens: ['rubella'],
    plans: [{ id: 'one-dose', startsFrom: '0d', doses: [{ minAge: '9m', recommendedAge: '9m' }] }],
    endsAt: '18y',
    isLive: true,
    source: `${tables}; rubella position paper, 2020`,
  },
  {
    id: 'hpv',
    give: { code: '137', name: 'Human papillomavirus' },
    antigens: ['hpv'],
    plans: [{ id: 'one-dose', startsFrom: '0d', doses: [{ minAge: '9y', recommendedAge: '9y', overdueAge: '15y' }] }],
    endsAt: '21y',
    sex: 'female',
    source: `${tables}; HPV position paper, 2022`,
  },
  {
    id: 'yellow-fever',
    give: { code: '184', name: 'Yellow fever' },
    antigens: ['yellow-fever'],
    plans: [{ id: 'one-dose', startsFrom: '0d', doses: [{ minAge: '9m', recommendedAge: '9m' }] }],
    endsAt: '60y',
    isLive: true,
    isOptional: true,
    source: `${tables}; yellow fever position paper, 2013`,
  },
  {
    id: 'meningococcal-a',
    give: { code: '108', name: 'Meningococcal A conjugate' },
    antigens: ['meningococcal-a'],
    plans: [{ id: 'one-dose', startsFrom: '0d', doses: [{ minAge: '9m', recommendedAge: '9m', overdueAge: '19m' }] }],
    endsAt: '18y',
    isOptional: true,
    source: `${tables}; meningococcal A update, 2015`,
  },
  {
    id: 'typhoid',
    give: { code: '190', name: 'Typhoid conjugate' },
    antigens: ['typhoid'],
    plans: [{ id: 'one-dose', startsFrom: '0d', doses: [{ minAge: '6m', recommendedAge: '9m' }] }],
    endsAt: '45y',
    isOptional: true,
    source: `${tables}; typhoid position paper, 2018`,
  },
  {
    id: 'influenza',
    give: { code: '88', name: 'Influenza' },
    antigens: ['influenza'],
    plans: [
      { id: 'yearly', startsFrom: '0d', doses: [{ minAge: '6m', recommendedAge: '6m', minInterval: fourWeeks }] },
    ],
    isYearly: true,
    isOptional: true,
    source: `${tables}; influenza position paper, 2022`,
  },
  {
    id: 'covid-19',
    give: { code: '213', name: 'COVID-19' },
    antigens: ['covid-19'],
    plans: [
      { id: 'yearly', startsFrom: '0d', doses: [{ minAge: '6m', recommendedAge: '6m', minInterval: fourWeeks }] },
    ],
    isYearly: true,
    isOptional: true,
    source: 'WHO SAGE roadmap for COVID-19 vaccines (2023): for groups at risk',
  },
]
