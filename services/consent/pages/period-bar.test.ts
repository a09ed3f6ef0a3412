import { expect, it } from 'vitest'
import { renderFragment } from '../../../packages/views/render.ts'
import { recordWith } from '../testing/record-fixture.ts'
import { PeriodBar, spanOf } from './period-bar.tsx'

const today = '2026-03-04'
const dayOf = (instant: Date) => instant.toISOString().slice(0, 10)

it.each([
  ['what goes on', null, '2026-04-03'],
  ['what ends before long', '2026-12-31', '2027-02-05'],
  ['what was recorded for ever', '9999-12-31', '2026-04-03'],
])('the drawings of a page end a while past today and the last end: of %s', (_what, periodEnd, to) => {
  expect(spanOf([recordWith({ periodEnd })], today, dayOf)).toEqual({ from: '2026-01-01', to })
})

it('what ends after the drawing is drawn to its end', () => {
  const record = recordWith({ periodEnd: '9999-12-31' })
  const span = spanOf([record], today, dayOf)
  expect(renderFragment(PeriodBar({ record, state: 'active', span, today, dayOf }))).toContain('x2="100%"')
})
