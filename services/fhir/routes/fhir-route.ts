import { Type } from 'typebox'
import { text } from '../../../packages/http/fields.ts'
import { headerOf, type IncomingRequest } from '../../../packages/http/request.ts'
import { routeFor, type FailedRequest, type Method, type Route } from '../../../packages/http/route.ts'
import { parameterNames } from '../../../packages/http/route-table.ts'
import { signedIn } from '../../../packages/http/who.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import type { Interaction } from '../audit/audited-access.ts'
import type { AnsweredPart, Answer } from '../interactions/answer.ts'
import { recordAnswer, recordFault, recordParts, type Access } from '../interactions/audited.ts'
import { questionOfOperation } from '../interactions/bundle/operation-entry.ts'
import { placeOf, questionOf } from '../interactions/bundle/place.ts'
import { askedInParameters } from '../interactions/query-in-parameters.ts'
import type { AccessConditions } from '../scopes/access.ts'
import type { BatchWork } from '../terminology/set-work.ts'
import type { FhirDeps } from './deps.ts'
import { fhirErrors } from './fhir-errors.ts'
import { readBody } from './read-body.ts'
import { outputOf, respond } from './respond.ts'
import { parametersOf, queryOf, wishesOf, type Wishes } from './wishes.ts'

/** A request, as far as every FHIR route wants to know it. */
export interface FhirCall {
  readonly params: Readonly<Record<string, string>>
  readonly query: string
  readonly request: IncomingRequest
  readonly wishes: Wishes
  readonly access: AccessConditions
  /** Writes down what it asked before it was refused, besides that it was. */
  readonly tellRefused: (parts: readonly AnsweredPart[]) => void
  /** What it shares with the other entries of its batch. */
  readonly batchWork?: BatchWork
}

export interface FhirRouteOptions {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly interaction: Interaction
  /** Media types of the body; without any there is none. */
  readonly accepts?: readonly string[]
  readonly bodyBytesMax?: number
  /** A Binary is answered in its own form where the caller wants that. */
  readonly isNativeToo?: boolean
  readonly run: (call: FhirCall, deps: FhirDeps) => Answer | Promise<Answer>
}

/**
 * A route of the FHIR API: every one of them asks for a token, turns it into conditions in the same place, is written
 * to the audit log whatever its outcome, and answers in FHIR's words.
 */
export function fhirRoute(options: FhirRouteOptions): Route<FhirDeps> {
  const { method, path, summary, tags, interaction, accepts, bodyBytesMax, isNativeToo = false, run } = options
  const audited = { interaction, isForm: path.endsWith(formSearch), hasParameters: isEverythingByBody(method, path) }
  return routeFor<FhirDeps>()({
    ...{ method, path, summary, tags },
    who: signedIn,
    input: {
      params: Object.fromEntries(parameterNames(path).map((name) => [name, text()])),
      ...(accepts === undefined ? {} : { body: Type.Optional(Type.Unknown()) }),
    },
    ...(accepts === undefined ? {} : { accepts }),
    ...(bodyBytesMax === undefined ? {} : { limits: { bodyBytesMax } }),
    readsOwnInput: true,
    output: outputOf(interaction),
    errors: fhirErrors,
    cors: (origin, deps) => deps.allowsOrigin(origin),
    onFault: ({ fault, caller, request }: FailedRequest, deps: FhirDeps) =>
      // Sound: `who` is signedIn, so whoever was found is a Caller.
      recordFault(accessOf(audited, caller as Caller | undefined, request, deps), fault, deps),
    run: async ({ params, caller, request }, deps) => {
      const given = params as Record<string, string>
      const wishes = wishesOf(request, isNativeToo && given['type'] === 'Binary')
      await deps.audit.admit()
      const tellRefused = (parts: readonly AnsweredPart[]) =>
        recordParts(accessOf(audited, caller, request, deps), parts, deps)
      const call = { params: given, query: queryOf(request), request, wishes, tellRefused }
      const answer = await run({ ...call, access: deps.authorize(caller) }, deps)
      recordAnswer(accessOf(audited, caller, request, deps), answer, deps)
      return respond(answer, wishes, deps)
    },
  })
}

const formSearch = '/_search'

/** What of a route counts in the audit log. */
interface AuditedRoute {
  readonly interaction: Interaction
  /** A search whose parameters come in a form. */
  readonly isForm: boolean
  /** One whose parameters come in a resource of that name. */
  readonly hasParameters: boolean
}

const isEverythingByBody = (method: Method, path: string) => method === 'POST' && path.endsWith('/$everything')

function accessOf(
  route: AuditedRoute,
  caller: Caller | undefined,
  request: IncomingRequest,
  { base }: FhirDeps,
): Access {
  const { interaction, isForm } = route
  const { id, peer } = request
  const address = asking(addressOf(request, isForm, base), askedBeside(route, request))
  const place = placeOf(address, base)
  const named = place?.type === undefined || place.id === undefined ? [] : [{ type: place.type, id: place.id }]
  return {
    ...{ interaction, caller, requestId: id, peer },
    named,
    question: place === undefined ? questionOfOperation(address, base) : questionOf(place),
  }
}

/** Below the base, as the route table reads it. A search by form is the one by address that it stands for. */
function addressOf(request: IncomingRequest, isForm: boolean, base: string): string {
  const { url } = request
  const root = new URL(base).pathname
  if (!isForm && !url.includes('%')) return url.slice(root.length)
  const [sent = ''] = url.split('?', 1)
  // Decoded before it is cut: the base, too, may come in other letters.
  const path = decoded(sent).slice(decoded(root).length)
  if (!isForm) return path + url.slice(sent.length)
  return `${path.slice(0, -formSearch.length)}?${askedIn(request)}`
}

/** A search by parameters in a body, and what a create asks for first, too, is as one by address. */
function askedBeside({ interaction, hasParameters }: AuditedRoute, request: IncomingRequest): string {
  if (hasParameters) return request.rawBody === undefined ? '' : askedInParameters(() => readBody(request))
  const criteria = (interaction === 'create' ? headerOf(request, 'if-none-exist') : undefined) ?? ''
  return criteria.slice(criteria.indexOf('?') + 1)
}

function asking(address: string, asked: string): string {
  if (asked === '') return address
  return `${address}${address.includes('?') ? '&' : '?'}${asked.split('&').map(withoutLongValue).join('&')}`
}

/** An address with `%` in it leads where it leads without. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // It leads nowhere.
    return path
  }
}

function askedIn(request: IncomingRequest): string {
  try {
    return parametersOf(request).split('&').map(withoutLongValue).join('&')
  } catch {
    // A form that cannot be read was refused for that; what stands in the address was asked all the same.
    return queryOf(request)
  }
}

/** Thousands of accesses may wait to be written down, and a form may be large. Names stay: they say what was asked. */
const valueCharactersMax = 300

function withoutLongValue(pair: string): string {
  const at = pair.indexOf('=')
  return at === -1 || pair.length - at - 1 <= valueCharactersMax ? pair : `${pair.slice(0, at)}=*`
}
