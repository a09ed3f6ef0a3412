import { headerOf } from '../../../packages/http/request.ts'
import { history } from '../interactions/history.ts'
import { instantOf, versionsOf } from '../interactions/preconditions.ts'
import { read, vread } from '../interactions/read.ts'
import { fhirRoute } from './fhir-route.ts'

const readRoute = fhirRoute({
  method: 'GET',
  path: '/fhir/:type/:id',
  summary: 'Read a resource; a Binary also as what it holds',
  tags: ['resources'],
  isNativeToo: true,
  interaction: 'read',
  run: ({ params: { type = '', id = '' }, request, access }, deps) => {
    const tags = headerOf(request, 'if-none-match')
    const modifiedSince = instantOf(headerOf(request, 'if-modified-since'))
    return read(
      {
        ...{ type, id, access },
        ...(tags === undefined ? {} : { knownVersions: versionsOf(tags) }),
        ...(modifiedSince === undefined ? {} : { modifiedSince }),
      },
      deps,
      deps.database,
    )
  },
})

const vreadRoute = fhirRoute({
  method: 'GET',
  path: '/fhir/:type/:id/_history/:version',
  summary: 'Read one version of a resource',
  tags: ['resources'],
  interaction: 'vread',
  isNativeToo: true,
  run: ({ params: { type = '', id = '', version = '' }, access }, deps) =>
    vread({ type, id, version, access }, deps, deps.database),
})

const instanceHistory = fhirRoute({
  method: 'GET',
  path: '/fhir/:type/:id/_history',
  summary: 'All versions of a resource, the newest first',
  tags: ['history'],
  interaction: 'history-instance',
  run: ({ params: { type = '', id = '' }, query, access, wishes: { isStrict } }, deps) =>
    history({ type, id, query, access, isStrict }, deps, deps.database),
})

const typeHistory = fhirRoute({
  method: 'GET',
  path: '/fhir/:type/_history',
  summary: 'What happened to resources of a type, the newest first',
  tags: ['history'],
  interaction: 'history-type',
  run: ({ params: { type = '' }, query, access, wishes: { isStrict } }, deps) =>
    history({ type, query, access, isStrict }, deps, deps.database),
})

const systemHistory = fhirRoute({
  method: 'GET',
  path: '/fhir/_history',
  summary: 'What happened to resources of all types, the newest first',
  tags: ['history'],
  interaction: 'history-system',
  run: ({ query, access, wishes: { isStrict } }, deps) => history({ query, access, isStrict }, deps, deps.database),
})

export const readingRoutes = [readRoute, vreadRoute, instanceHistory, typeHistory, systemHistory]
