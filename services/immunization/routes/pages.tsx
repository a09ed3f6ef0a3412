import { text } from '../../../packages/http/fields.ts'
import { dataQualityHints } from '../forecast/hints.ts'
import { groupsOf } from '../read-model/groups.ts'
import { filterHistory } from '../read-model/history-filter.ts'
import type { VaccinationRecord } from '../read-model/vaccination.ts'
import { visitor } from '../session/visitor.ts'
import { DashboardPage } from '../views/dashboard-page.tsx'
import { HistoryPage } from '../views/history-page.tsx'
import { RecommendationsPage } from '../views/recommendations-page.tsx'
import { appPage, pageOutput } from './app-page.tsx'
import { appRoute } from './app-route.ts'

const lang = text({ max: 20, optional: true })
const typed = text({ max: 200, optional: true })
const withId = (dose: VaccinationRecord) => ({ ...dose, fhirId: dose.fhirId ?? '' })
const common = { method: 'GET', who: visitor, tags: ['Pages'], output: pageOutput } as const

export const dashboard = appRoute({
  ...common,
  path: '/dashboard',
  summary: 'The record at a glance',
  input: { query: { lang } },
  run: (input, deps) =>
    appPage(input, deps, ({ frame, record, summary, today }) => (
      <DashboardPage frame={frame} record={record} summary={summary} today={today} />
    )),
})

export const history = appRoute({
  ...common,
  path: '/history',
  summary: 'Every vaccination, filtered by vaccine and days',
  input: { query: { vaccineCode: typed, from: typed, to: typed, lang } },
  run: (input, deps) =>
    appPage(input, deps, ({ frame, record, today }) => (
      <HistoryPage
        frame={frame}
        history={filterHistory(record.vaccinations, input.query)}
        vaccinations={record.vaccinations}
        hints={dataQualityHints(record.patient.birthDate, record.vaccinations.map(withId), today)}
        mayHaveOtherRecords={record.patient.mayHaveOtherRecords}
      />
    )),
})

export const recommendationsPage = appRoute({
  ...common,
  path: '/recommendations',
  summary: 'What is overdue, due, protected against, and the rest',
  input: { query: { lang } },
  run: (input, deps) =>
    appPage(input, deps, ({ frame, record }) => (
      <RecommendationsPage frame={frame} groups={groupsOf(record.recommendations)} record={record} />
    )),
})
