import { page } from '../../../packages/http/answer.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { text } from '../../../packages/http/fields.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { Visitor } from '../../../packages/sign-in/session.ts'
import { visiting } from '../../../packages/sign-in/visiting.ts'
import { ownPatient } from '../../../packages/tokens/own-patient.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { languageOf, rememberLanguage } from '../../../packages/views/words/choose-language.ts'
import { searchPatients } from '../../../ports/fhir-store/find-people.ts'
import { auditLook } from '../audit/audit-look.ts'
import { opposedTo } from '../conflicts.ts'
import type { ConsentRecord } from '../record/consent-record.ts'
import { recordsWithASay } from '../store/records-with-a-say.ts'
import { recordsOfPatient } from '../store/records.ts'
import { dayIn } from '../../../packages/clock/day-in.ts'
import { wordsOf } from '../words/words.ts'
import { pageRoute, type PageDeps } from './deps.ts'
import { facilitiesIn, ifNamed } from './names-in.ts'
import { OwnPage } from './own-page.tsx'
import { StartPage } from './start-page.tsx'

export const startPage = pageRoute({
  method: 'GET',
  path: '/',
  who: visiting('CLINICIAN', 'ADMIN', 'PATIENT'),
  tags: ['Pages'],
  summary: 'Finds a patient; a patient’s own consents',
  input: { query: { search: text({ max: 200, optional: true }), lang: text({ max: 20, optional: true }) } },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller: visitor, request }, deps) => {
    const { roles } = visitor.caller
    if (!roles.has('CLINICIAN') && !roles.has('ADMIN')) return showOwn(query.lang, visitor, request, deps)
    const { search = '' } = query
    const { addresses, assetUrl } = deps
    const look = { store: deps.storeOf(visitor), now: deps.clock.now(), signal: request.signal }
    const found = await searchPatients(search, look)
    return page(renderPage(<StartPage model={{ visitor, addresses, assetUrl, search, ...found }} />))
  },
})

/** In the language that they chose, or their browser asks for; staff has one. */
async function showOwn(lang: string | undefined, visitor: Visitor, request: IncomingRequest, deps: PageDeps) {
  const { addresses, assetUrl, database, settings, clock, signIn } = deps
  const own = ownPatient(visitor.caller)
  const [records, deciding] = await Promise.all([
    own === undefined ? [] : recordsOfPatient(own, undefined, database),
    own === undefined ? [] : recordsWithASay(own, database),
    own === undefined
      ? undefined
      : auditLook({ patientId: own, recordId: null }, { caller: visitor.caller, request }, deps),
  ])
  const names = await ifNamed(() => facilitiesIn(records, visitor, deps))
  const dayOf = (instant: Date) => dayIn(settings.timeZone, instant)
  const today = dayOf(clock.now())
  const against = (record: ConsentRecord) => opposedTo(record, deciding, today)
  const words = wordsOf(languageOf(request, lang, signIn))
  const isPatient = own !== undefined
  const model = { words, visitor, addresses, assetUrl, isPatient, records, ...names, today, dayOf, against }
  return page(renderPage(<OwnPage model={model} />), { headers: rememberLanguage(lang, signIn) })
}
