import { expect, it } from 'vitest'
import { renderPage } from '../../../packages/views/render.ts'
import type { Alert } from '../coordination/store/alerts.ts'
import { AlertsPage, type AlertsModel } from './alerts-page.tsx'
import { attack, frameModel, isText } from './testing/transaction-frame.ts'

const at = new Date('2026-03-04T10:15:00Z')
const open: Alert = {
  ...{ id: '0190', patient: 'Patient/amara', resource: 'Observation/potassium', transactionId: 'TX-1', raisedAt: at },
  ...{ escalations: 0, escalateAt: new Date('2026-03-04T10:30:00Z'), acknowledgedAt: null, acknowledgedBy: null },
}
const seen: Alert = { ...open, escalateAt: null, acknowledgedAt: at, acknowledgedBy: 'dr-amara' }

const shown = (changes: Partial<AlertsModel> = {}): string => {
  const page = { number: 0, size: 20, totalElements: 1, totalPages: 1 }
  const model = { ...frameModel, status: 'open', rows: [open], page, isDone: false, ...changes } as const
  return renderPage(<AlertsPage model={model} />)
}

it('has a button for each result that nobody has acknowledged, and leads to its message', () => {
  expect(shown()).toContain('aria-label="See it in its message: Observation/potassium"')
  expect(shown()).toContain('action="/console/alerts/0190/acknowledge"')
  expect(shown()).toContain('aria-label="Acknowledge Observation/potassium"')
  expect(shown()).toContain('href="/console/messages/TX-1"')
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
})
