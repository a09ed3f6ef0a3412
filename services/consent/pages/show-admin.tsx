import { page, redirect } from '../../../packages/http/answer.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { instant, integer, oneOf, optional, text, uuid } from '../../../packages/http/fields.ts'
import { lastPageBefore, pagesOf, pageQuery, pageQueryTo, readPage } from '../../../packages/http/page-envelope.ts'
import { visiting } from '../../../packages/sign-in/visiting.ts'
import { renderPage } from '../../../packages/views/render.ts'
import { facilityChoices } from '../../../ports/fhir-store/facility-choices.ts'
import { byReference, patientsByReference } from '../../../ports/fhir-store/find-people.ts'
import { unlessAway } from '../../../ports/fhir-store/unless-away.ts'
import { auditLook } from '../audit/audit-look.ts'
import { organisationReference } from '../record/references.ts'
import { countAlerts, latestAlerts } from '../store/enumeration-alerts.ts'
import { logKinds, recentEvents, type WantedEvents } from '../store/recent-events.ts'
import { pageOfOrganisation } from '../store/records.ts'
import { readStats } from '../store/stats.ts'
import { dayIn } from '../../../packages/clock/day-in.ts'
import { pageRoute } from './deps.ts'
import { logHref } from './log-href.ts'
import { LogPage } from './log-page.tsx'
import { namesIn } from './names-in.ts'
import { peopleIn } from './people-in.ts'
import { RecordsPage } from './records-page.tsx'

const tags = ['Pages']
const rowsMax = 50
const alertsMax = 5

export const logPage = pageRoute({
  method: 'GET',
  path: '/admin',
  who: visiting('ADMIN'),
  tags,
  summary: 'Counts, enumeration alerts and the log of evaluations, looks and changes',
  input: {
    query: {
      about: text({ max: 256, optional: true }),
      kind: optional(oneOf(logKinds)),
      before: optional(instant()),
      /** With both: after this row of the list, for many are of one millisecond. */
      chain: optional(uuid()),
      position: optional(integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
    },
  },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller: visitor, request }, deps) => {
    const { audit, database, addresses, assetUrl } = deps
    // Who has just asked expects to see it.
    await audit.written()
    const { kind } = query
    const about = (query.about ?? '').trim()
    const whose = about === '' ? {} : about.startsWith('Patient/') ? { patientId: about } : { subject: about }
    const [stats, alerts, alertCount, events] = await Promise.all([
      readStats(database),
      latestAlerts(alertsMax, database),
      countAlerts(database),
      recentEvents({ ...whose, kind, before: placeIn(query), limit: rowsMax }, database),
    ])
    const last = events.length < rowsMax ? undefined : events.at(-1)
    const older = last === undefined ? undefined : logHref({ about, kind }, last)
    const callers = alerts.map(({ caller }) => ({ subject: caller, patientId: null, actorReferences: [] }))
    const people = await peopleIn([...events, ...callers], visitor, request, deps)
    const model = { visitor, addresses, assetUrl, stats, alerts, alertCount, events, about, kind, older, ...people }
    return page(renderPage(<LogPage model={model} />))
  },
})

interface AskedPlace {
  readonly before?: string
  readonly chain?: string
  readonly position?: number
}

function placeIn({ before, chain, position }: AskedPlace): WantedEvents['before'] {
  if (before === undefined) return undefined
  const at = new Date(before)
  return chain === undefined || position === undefined ? { at } : { at, chain, position }
}

export const recordsPage = pageRoute({
  method: 'GET',
  path: '/admin/records',
  who: visiting('ADMIN'),
  tags,
  summary: 'The records of an organisation',
  input: { query: { ...pageQuery(), organisation: text({ max: 160, optional: true }) } },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller: visitor, request }, deps) => {
    const { addresses, assetUrl, database, settings, clock } = deps
    const look = { store: deps.storeOf(visitor), now: clock.now(), signal: request.signal }
    const choices = await unlessAway(() => facilityChoices(look.store))
    const known = choices ?? []
    const wanted = organisationReference(query.organisation ?? visitor.caller.organisation ?? '')
    const organisation = wanted ?? known[0]?.value ?? ''
    const part = readPage(query)
    const shown = { patientId: null, recordId: null, organisation }
    const [{ records, total }] = await Promise.all([
      pageOfOrganisation(organisation, part, database),
      organisation === '' ? undefined : auditLook(shown, { caller: visitor.caller, request }, deps),
    ])
    const pages = pagesOf(part, total)
    const last = lastPageBefore(pages)
    if (last !== undefined) {
      return redirect(302, `/admin/records?organisation=${encodeURIComponent(organisation)}&${pageQueryTo(last, part)}`)
    }
    const patientIds = records.map(({ patientId }) => patientId).filter((id) => id !== null)
    const names = await unlessAway(() =>
      Promise.all([
        namesIn([...records, { actorReference: organisation }], visitor, deps),
        patientsByReference(patientIds, look),
      ]),
    )
    const [nameOf, patients] = names ?? [byReference, new Map()]
    const isKnown = known.some(({ value }) => value === organisation) || organisation === ''
    const model = {
      ...{ visitor, addresses, assetUrl, organisation, records, nameOf },
      organisations: isKnown ? known : [{ value: organisation, label: nameOf(organisation) }, ...known],
      ...{ patients, areNamesAway: choices === undefined || names === undefined },
      today: dayIn(settings.timeZone, look.now),
      page: pages,
    }
    return page(renderPage(<RecordsPage model={model} />))
  },
})
