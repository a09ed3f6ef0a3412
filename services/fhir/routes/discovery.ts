import { nothing, openJson } from '../../../packages/http/content.ts'
import { routeFor } from '../../../packages/http/route.ts'
import { anyone } from '../../../packages/http/who.ts'
import type { FhirDeps } from './deps.ts'
import { fhirErrors } from './fhir-errors.ts'
import { fhirJson } from './respond.ts'
import { wishesOf } from './wishes.ts'

const route = routeFor<FhirDeps>()

const capabilities = route({
  method: 'GET',
  path: '/fhir/metadata',
  who: anyone,
  summary: 'What this server can do',
  tags: ['discovery'],
  output: { 200: fhirJson, 304: nothing },
  readsOwnInput: true,
  errors: fhirErrors,
  cors: 'anyone',
  cache: 'public, max-age=300',
  run: ({ request }, { shownCapabilities }) =>
    shownCapabilities[wishesOf(request).isPretty ? 'indented' : 'plain']().answerTo(request),
})

/** SMART App Launch 2.2: whatever the Accept header says, this is JSON. */
const smartConfiguration = route({
  method: 'GET',
  path: '/fhir/.well-known/smart-configuration',
  who: anyone,
  summary: 'Where apps get tokens for this server',
  tags: ['discovery'],
  output: { 200: openJson('application/json; charset=utf-8') },
  cors: 'anyone',
  cache: 'public, max-age=300',
  run: async (_input, deps) => deps.smartConfiguration(),
})

export const discoveryRoutes = [capabilities, smartConfiguration]
