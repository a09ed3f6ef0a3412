import { formType } from '../../../packages/http/body.ts'
import { queryInParameters } from '../interactions/query-in-parameters.ts'
import { requireSearch } from '../interactions/require-right.ts'
import { search } from '../interactions/search.ts'
import { fhirRoute, type FhirRouteOptions } from './fhir-route.ts'
import { fhirTypes } from './fhir-types.ts'
import { readBody } from './read-body.ts'
import { parametersOf } from './wishes.ts'

const tags = ['search'] as const
const takesForm = { tags, accepts: [formType], bodyBytesMax: 262_144 } as const

export const everythingByPost: FhirRouteOptions = {
  method: 'POST',
  path: '/fhir/Patient/:id/$everything',
  summary: 'A patient and everything about the patient, with the parameters in a body or with none',
  tags: ['operations'],
  interaction: 'operation',
  accepts: fhirTypes,
  bodyBytesMax: 262_144,
  run: ({ params: { id = '' }, query, request, access, wishes: { isStrict } }, deps) => {
    requireSearch(access, deps.definitions)
    const sent = request.rawBody === undefined ? '' : queryInParameters(readBody(request))
    const all = [query, sent].filter((part) => part !== '').join('&')
    return search({ type: undefined, everythingOf: id, query: all, access, isStrict }, deps, deps.database)
  },
}

export const searchingRoutes = [
  fhirRoute({
    method: 'GET',
    path: '/fhir/:type',
    summary: 'Search resources of a type',
    tags,
    interaction: 'search-type',
    run: ({ params: { type = '' }, query, access, wishes: { isStrict } }, deps) =>
      search({ type, query, access, isStrict }, deps, deps.database),
  }),
  fhirRoute({
    method: 'POST',
    path: '/fhir/:type/_search',
    summary: 'Search resources of a type, with the parameters in a form',
    interaction: 'search-type',
    ...takesForm,
    run: (call, deps) => {
      const { params, access, wishes } = call
      const { type = '' } = params
      return search({ type, query: parametersOf(call.request), access, isStrict: wishes.isStrict }, deps, deps.database)
    },
  }),
  // Clients that join a base with a slash and `?_type=…` ask for the second.
  ...['/fhir', '/fhir/'].map((path) =>
    fhirRoute({
      method: 'GET',
      path,
      summary: 'Search all types',
      tags,
      interaction: 'search-system',
      run: ({ query, access, wishes: { isStrict } }, deps) =>
        search({ type: undefined, query, access, isStrict }, deps, deps.database),
    }),
  ),
  fhirRoute({
    method: 'POST',
    path: '/fhir/_search',
    summary: 'Search all types, with the parameters in a form',
    interaction: 'search-system',
    ...takesForm,
    run: (call, deps) => {
      const { access, wishes } = call
      const query = parametersOf(call.request)
      return search({ type: undefined, query, access, isStrict: wishes.isStrict }, deps, deps.database)
    },
  }),
  fhirRoute({
    method: 'GET',
    path: '/fhir/:type/:id/:within',
    summary: 'Search within a compartment; * is all types',
    tags,
    interaction: 'search-type',
    run: ({ params: { type = '', id = '', within = '' }, query, access, wishes: { isStrict } }, deps) =>
      search(
        { type: within === '*' ? undefined : within, compartment: { type, id }, query, access, isStrict },
        deps,
        deps.database,
      ),
  }),
  fhirRoute({
    method: 'GET',
    path: '/fhir/Patient/:id/$everything',
    summary: 'A patient and everything about the patient',
    tags: ['operations'],
    interaction: 'operation',
    run: ({ params: { id = '' }, query, access, wishes: { isStrict } }, deps) =>
      search({ type: undefined, everythingOf: id, query, access, isStrict }, deps, deps.database),
  }),
  fhirRoute(everythingByPost),
]
