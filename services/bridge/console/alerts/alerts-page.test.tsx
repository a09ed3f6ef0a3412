import { expect, it } from 'vitest'
import { renderPage } from '../../../../packages/views/render.ts'
import type { Alert } from '../../coordination/store/alerts.ts'
import { AlertsPage, type AlertsModel } from './alerts-page.tsx'
import type { ResultText } from './result-text.ts'
import { attack, frameModel, isText } from '../testing/transaction-frame.ts'

const at = new Date('2026-03-04T10:15:00Z')
const open: Alert = {
  ...{ id: '0190', patient: 'Patient/amara', resource: 'Observation/potassium', transactionId: 'TX-1', raisedAt: at },
  ...{ escalations: 0, escalateAt: new Date('2026-03-04T10:30:00Z'), acknowledgedAt: null, acknowledgedBy: null },
}
const seen: Alert = { ...open, escalateAt: null, acknowledgedAt: at, acknowledgedBy: 'dr-amara' }

const amina = {
  id: 'amara',
  name: 'أمينة ديالو',
  birthDate: '1990-05-01',
  age: '35 years',
  sex: 'female',
  identifiers: [],
}
const potassium = {
  ...{ what: 'Potassium', value: '6.8 mmol/L', flag: 'critical high', status: undefined },
  at: '2026-03-04T10:05:00Z',
}
const texts = {
  patients: new Map([['Patient/amara', amina]]),
  results: new Map<string, ResultText>([['Observation/potassium', potassium]]),
}
const { caller } = frameModel.visitor
const clinician = { name: 'Dr Amara', caller: { ...caller, roles: new Set(['CLINICIAN'] as const) } }
const addresses = { auth: 'https://auth.example', bridge: 'https://bridge.example' }

const shown = (changes: Partial<AlertsModel> = {}): string => {
  const page = { number: 0, size: 20, totalElements: 1, totalPages: 1 }
  const model = { ...frameModel, status: 'open', rows: [open], texts, page, isDone: false, ...changes } as const
  return renderPage(<AlertsPage model={model} />)
}

it('has a button for each result that nobody has acknowledged, and leads to its message', () => {
  expect(shown()).toContain('aria-label="See it in its message: Observation/potassium"')
  expect(shown()).toContain('action="/console/alerts/0190/acknowledge"')
  expect(shown()).toContain('aria-label="Acknowledge Potassium 6.8 mmol/L of أمينة ديالو"')
  expect(shown()).toContain('href="/console/messages/TX-1"')
})

it('says of whom a result is and what it says, each in its own direction', () => {
  const html = shown({ addresses })
  expect(html).toContain('href="https://auth.example/portal/patients/amara"')
  expect(html).toContain('<bdi class="name">أمينة ديالو</bdi>')
  expect(html).toMatch(
    /<bdi class="name">Potassium<\/bdi>: <b><bdi class="name">6.8 mmol\/L<\/bdi><\/b>, critical high/,
  )
  expect(html).toContain('"2026-03-04T10:05:00.000Z"')
})

it('tells a patient from a namesake of the same day by their number, and says who has died', () => {
  const known = {
    ...{ ...amina, age: undefined, death: { day: '2026-03-04', age: '35 years' } },
    identifiers: [
      { label: 'Record no.', value: 'MRN-17' },
      { label: 'National id', value: 'N-1' },
    ],
  }
  const html = shown({ texts: { ...texts, patients: new Map([['Patient/amara', known]]) } })
  expect(html).toMatch(/1 May 1990<\/time>,<\/span> died <time[^>]*>4 Mar 2026<.*Record no. <bdi>MRN-17<\/bdi><\/p>/)
})

it.each([
  ['2026-03-04T10:05:00Z', undefined],
  ['2026-03-01T10:05:00Z', 'came 3 days later'],
  ['2026-03-03', undefined],
  ['2026-02-03', 'came 29 days later'],
  ['2025', undefined],
])('says of a result of %s that it is no new one: %s', (when, words) => {
  const results = new Map([['Observation/potassium', { ...potassium, at: when }]])
  const html = shown({ texts: { ...texts, results } })
  expect(/came [^<]*/.exec(html)?.[0]).toBe(words)
})

it('shows a clinician nothing that is not theirs to open', () => {
  const html = shown({ visitor: clinician, addresses })
  const ways = [...html.matchAll(/(?:href|action)="([^"#]*)"/g)].map(([, way = '']) => way)
  expect(ways.filter((way) => !way.startsWith('/assets/'))).toEqual([
    '/console/alerts',
    'https://auth.example/portal',
    'https://bridge.example/console/alerts',
    'https://auth.example/account/apps',
    '/sign-out',
    '/console/alerts',
    '/console/alerts?status=acknowledged',
    'https://auth.example/portal/patients/amara',
    '/console/alerts/0190/acknowledge',
  ])
})

it('says what became of a result that holds no more', () => {
  const results = new Map([['Observation/potassium', { ...potassium, status: 'entered in error', at: '2026-03-04' }]])
  const html = shown({ texts: { ...texts, results } })
  expect(html).toContain('entered in error')
  expect(html).toContain('4 Mar 2026')
})

it('lists by their ids those that the reader may not see', () => {
  const html = shown({ texts: { patients: new Map(), results: new Map() } })
  expect(html).toContain('<bdi class="wrap">Patient/amara</bdi>')
  expect(html).toContain('not for you to see')
  expect(html).toContain('aria-label="Acknowledge Observation/potassium"')
})

it('lists by their ids, and says why, while the store is away; they can be acknowledged', () => {
  const html = shown({ texts: undefined })
  expect(html).toContain('What the results say cannot be read now.')
  expect(html).not.toContain('not for you to see')
  expect(html).toContain('aria-label="Acknowledge Observation/potassium"')
  expect(shown({ texts: undefined, rows: [] })).not.toContain('cannot be read now')
})

it.each([
  [{}, /Not yet, next <time/],
  [{ escalations: 1 }, /Once, next <time/],
  [{ escalations: 3, escalateAt: null }, /3 times, no more/],
])('says how often it was escalated, and whether it will be again: %j', (changes, words) => {
  expect(shown({ rows: [{ ...open, ...changes }] })).toMatch(words)
})

it('shows who acknowledged a result, and offers no button for it', () => {
  const html = shown({ status: 'acknowledged', rows: [seen] })
  expect(html).toContain('dr-amara')
  expect(html).not.toContain('/acknowledge"')
})

it('says that it was done', () => {
  expect(shown({ isDone: true, rows: [] })).toContain('The result is acknowledged.')
})

it.each([
  ['open', 'Every critical result was acknowledged'],
  ['acknowledged', 'Nothing was acknowledged here yet'],
] as const)('says so when none is %s', (status, words) => {
  expect(shown({ status, rows: [] })).toContain(words)
})

it('shows what came from outside as text', () => {
  const odd = { patient: attack, resource: attack, transactionId: attack, acknowledgedBy: attack }
  expect(isText(shown({ rows: [{ ...open, ...odd }] }))).toBe(true)
  expect(isText(shown({ status: 'acknowledged', rows: [{ ...seen, ...odd }] }))).toBe(true)
  const patients = new Map([['Patient/amara', { ...amina, name: attack, birthDate: attack }]])
  const result = { what: attack, value: attack, flag: attack, status: attack, at: attack }
  expect(isText(shown({ texts: { patients, results: new Map([['Observation/potassium', result]]) } }))).toBe(true)
})
