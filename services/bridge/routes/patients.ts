import { missing } from '../../../packages/faults/fault.ts'
import { openJson } from '../../../packages/http/content.ts'
import { fhirId, list, object, oneOf, text } from '../../../packages/http/fields.ts'
import { cardsOf } from '../coordination/store/coordination.ts'
import { recordLook } from '../store/looks.ts'
import { writers } from './callers.ts'
import { adminRoute } from './deps.ts'

const patientParams = { patientId: fhirId() }
const tags = ['Coordination']
const cardsMax = 50

/** In the shape in which CDS Hooks answers. */
const CardsView = object({
  cards: list(
    object({
      summary: text(),
      indicator: oneOf(['info', 'warning', 'critical']),
      detail: text(),
      source: object({ label: text(), url: text() }),
    }),
  ),
})

export const getSummary = adminRoute({
  method: 'GET',
  path: '/api/patients/:patientId/summary',
  who: writers,
  tags,
  summary:
    'The summary of a patient by its sections, of which only those are read anew that changed; the look is recorded',
  input: { params: patientParams },
  output: { 200: openJson() },
  run: async ({ params: { patientId }, caller, request }, deps) => {
    const patient = `Patient/${patientId}`
    await recordLook({ caller, transactionId: '', patient, what: 'summary', requestId: request.id }, deps)
    const summary = await deps.dispatch.summaryOf(patient)
    if (summary.demographics?.length !== 1) throw missing('There is no such patient.')
    return summary
  },
})

export const getCards = adminRoute({
  method: 'GET',
  path: '/api/patients/:patientId/cards',
  who: writers,
  tags,
  summary: 'What decision support has said of a patient, the latest first; the look is recorded',
  input: { params: patientParams },
  output: { 200: CardsView },
  run: async ({ params: { patientId }, caller, request }, deps) => {
    const patient = `Patient/${patientId}`
    await recordLook({ caller, transactionId: '', patient, what: 'cards', requestId: request.id }, deps)
    const found = await cardsOf(patient, cardsMax, deps.database)
    return { cards: found.map(({ card }) => card) }
  },
})
