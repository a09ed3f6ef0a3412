import { missing } from '../../../packages/faults/fault.ts'
import { page, redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { html, nothing } from '../../../packages/http/content.ts'
import { fhirId, object, text } from '../../../packages/http/fields.ts'
import { routeFor } from '../../../packages/http/route.ts'
import { renderPage } from '../../../packages/views/render.ts'
import type { AuthDeps } from '../deps.ts'
import { checkCsrf, staff } from '../login/visitor.ts'
import { createLaunch, launchableApps } from '../portal/create-launch.ts'
import { encountersOf, findSurvivor, patientsById, searchPatients } from '../portal/find-patients.ts'
import { lookOf } from '../portal/look.ts'
import { otherRecordsOf } from '../portal/other-records.ts'
import { recentPatients } from '../store/launches.ts'
import { LaunchPage } from '../views/launch-page.tsx'
import { searchScript } from '../views/portal-assets.ts'
import { PortalPage } from '../views/portal-page.tsx'

const route = routeFor<AuthDeps>()

export const portal = route({
  method: 'GET',
  path: '/portal',
  who: staff,
  summary: 'Finds a patient and launches an app for them',
  tags: ['Portal'],
  input: { query: { search: text({ max: 200, optional: true }) } },
  output: { 200: html, 302: nothing },
  run: async ({ query, caller, request }, deps) => {
    const { database, assetUrl, workspace } = deps
    const { search = '' } = query
    const look = lookOf(caller.user, request, deps)
    const recentIds = search === '' ? await recentPatients(caller.user.id, 5, database) : []
    const [found, recent] = await Promise.all([searchPatients(search, look), patientsById(recentIds, look)])
    const scripts = [deps.portalAssets.urlOf(searchScript)]
    const model = { user: caller.user, csrf: caller.csrf, workspace, search, ...found, recent, scripts }
    return page(renderPage(<PortalPage model={model} assetUrl={assetUrl} />))
  },
})

export const portalPatient = route({
  method: 'GET',
  path: '/portal/patients/:id',
  who: staff,
  summary: 'Chooses an encounter and an app for a patient',
  tags: ['Portal'],
  input: { params: { id: fhirId() } },
  output: { 200: html, 302: nothing },
  run: async ({ params, caller, request }, deps) => {
    const look = lookOf(caller.user, request, deps)
    const [patient, encounters] = await Promise.all([findSurvivor(params.id, look), encountersOf(params.id, look)])
    if (patient === undefined) throw missing('There is no such patient.')
    if (patient.id !== params.id) return redirect(302, `/portal/patients/${patient.id}`)
    const [others, launchable] = await Promise.all([otherRecordsOf(patient, look), launchableApps(deps)])
    const apps = launchable.map(({ clientId, clientName }) => ({ clientId, clientName }))
    const { workspace, assetUrl } = deps
    const model = { user: caller.user, csrf: caller.csrf, workspace, patient, others, encounters, apps }
    return page(renderPage(<LaunchPage model={model} assetUrl={assetUrl} />))
  },
})

export const portalLaunch = route({
  method: 'POST',
  path: '/portal/launch',
  who: staff,
  summary: 'Creates a launch token and goes to the SMART client with it',
  tags: ['Portal'],
  accepts: [formType],
  input: {
    body: object({
      patientId: fhirId(),
      encounterId: text({ pattern: /^([A-Za-z0-9.-]{1,64})?$/, says: 'must be a FHIR id', optional: true }),
      app: text({ max: 100, optional: true }),
      _csrf: text({ max: 100, optional: true }),
    }),
  },
  output: { 302: nothing },
  run: async ({ body, caller, request }, deps) => {
    checkCsrf(body._csrf, caller)
    const { patientId } = body
    const wish = { patientId, encounterId: body.encounterId || undefined, app: body.app || undefined }
    return redirect(302, await createLaunch(wish, caller, request, deps))
  },
})
