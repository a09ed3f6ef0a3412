import { headerOf, type IncomingRequest } from '../../../packages/http/request.ts'
import { criteriaSent } from '../interactions/if-none-exist.ts'
import { patch } from '../interactions/patch.ts'
import { preconditionOf } from '../interactions/preconditions.ts'
import { create, remove, removeMatching, update, updateMatching } from '../interactions/write.ts'
import { fhirRoute } from './fhir-route.ts'
import { fhirTypes } from './fhir-types.ts'
import { nativeTypes, resourceSent } from './native-content.ts'
import { readBody } from './read-body.ts'

export function writingRoutes({ bodyBytesMax }: { readonly bodyBytesMax: number }) {
  const takesResource = { tags: ['resources'], accepts: fhirTypes, bodyBytesMax } as const
  const takesContent = { ...takesResource, accepts: [...fhirTypes, ...nativeTypes] } as const
  const takesPatch = { tags: ['resources'], accepts: patchTypes, bodyBytesMax } as const
  return [
    fhirRoute({
      method: 'POST',
      path: '/fhir/:type',
      summary: 'Create a resource; with If-None-Exist only if none matches. A Binary may be sent as what it holds',
      interaction: 'create',
      ...takesContent,
      run: ({ params: { type = '' }, request, access }, deps) => {
        const unless = headerOf(request, 'if-none-exist')
        const criteria = unless === undefined ? {} : { unless: criteriaSent(unless, type, deps.base) }
        return create({ type, resource: resourceSent(type, undefined, request), ...criteria, access }, deps)
      },
    }),
    fhirRoute({
      method: 'PUT',
      path: '/fhir/:type/:id',
      summary: 'Update a resource, or create it under this id. A Binary may be sent as what it holds',
      interaction: 'update',
      ...takesContent,
      run: ({ params: { type = '', id = '' }, request, access }, deps) =>
        update({ type, id, resource: resourceSent(type, id, request), ...conditionOf(request), access }, deps),
    }),
    fhirRoute({
      method: 'PUT',
      path: '/fhir/:type',
      summary: 'Update the resource that matches, or create it if none does',
      interaction: 'update',
      ...takesResource,
      run: ({ params: { type = '' }, query, request, access }, deps) =>
        updateMatching({ type, query, resource: readBody(request), ...conditionOf(request), access }, deps),
    }),
    fhirRoute({
      method: 'PATCH',
      path: '/fhir/:type/:id',
      summary: 'Change a resource by JSON Patch',
      interaction: 'patch',
      ...takesPatch,
      run: ({ params: { type = '', id = '' }, request, access }, deps) =>
        patch({ type, id, patch: readBody(request), ...conditionOf(request), access }, deps),
    }),
    fhirRoute({
      method: 'PATCH',
      path: '/fhir/:type',
      summary: 'Change the resource that matches by JSON Patch',
      interaction: 'patch',
      ...takesPatch,
      run: ({ params: { type = '' }, query, request, access }, deps) =>
        patch({ type, query, patch: readBody(request), ...conditionOf(request), access }, deps),
    }),
    fhirRoute({
      method: 'DELETE',
      path: '/fhir/:type/:id',
      summary: 'Delete a resource; its history stays',
      tags: ['resources'],
      interaction: 'delete',
      run: ({ params: { type = '', id = '' }, request, access }, deps) =>
        remove({ type, id, ...conditionOf(request), access }, deps),
    }),
    fhirRoute({
      method: 'DELETE',
      path: '/fhir/:type',
      summary: 'Delete the resource that matches',
      tags: ['resources'],
      interaction: 'delete',
      run: ({ params: { type = '' }, query, request, access }, deps) =>
        removeMatching({ type, query, ...conditionOf(request), access }, deps),
    }),
  ]
}

const patchTypes = ['application/json-patch+json'] as const

const conditionOf = (request: IncomingRequest) =>
  preconditionOf({ ifMatch: headerOf(request, 'if-match'), ifNoneMatch: headerOf(request, 'if-none-match') })
