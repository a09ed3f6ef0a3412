import { list } from '../../../packages/http/fields.ts'
import { summaryOf } from '../read-model/summary.ts'
import { patientKeyOf, secondsRemaining } from '../session/session.ts'
import { smartSession } from '../session/visitor.ts'
import { appRoute } from './app-route.ts'
import { RecommendationView, SessionInfo, SummaryView, VaccinationView } from './fields.ts'

const common = { method: 'GET', who: smartSession, tags: ['Record'] } as const

export const immunizations = appRoute({
  ...common,
  path: '/api/immunizations',
  summary: 'The completed vaccinations, newest first',
  output: { 200: list(VaccinationView) },
  run: async ({ caller }, { records }) => (await records.of(caller)).vaccinations,
})

export const recommendations = appRoute({
  ...common,
  path: '/api/recommendations',
  summary: 'What is recommended: overdue first, then by the day it is due',
  output: { 200: list(RecommendationView) },
  run: async ({ caller }, { records }) => (await records.of(caller)).recommendations,
})

export const summary = appRoute({
  ...common,
  path: '/api/summary',
  summary: 'The counts, and whose they are',
  output: { 200: SummaryView },
  run: async ({ caller }, { records }) => summaryOf(await records.of(caller), records.today()),
})

export const session = appRoute({
  ...common,
  path: '/api/session',
  summary: 'For whom the app was launched, by whom, and how long the access token lasts',
  output: { 200: SessionInfo },
  run: ({ caller }, { clock }) => {
    const { patientId, clinicianName, needPatientBanner, scope } = caller
    const remaining = secondsRemaining(caller, clock.now())
    const patientKey = patientKeyOf(caller)
    return { patientId, clinicianName, needPatientBanner, scope, secondsRemaining: remaining, patientKey }
  },
})
