import { Type } from 'typebox'
import { text } from '../../../packages/http/fields.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import { routeFor, type FailedRequest, type Method, type Route } from '../../../packages/http/route.ts'
import { parameterNames } from '../../../packages/http/route-table.ts'
import { signedIn } from '../../../packages/http/who.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import type { Interaction } from '../audit/audited-access.ts'
import type { Answer } from '../interactions/answer.ts'
import { recordAnswer, recordFault, type Access } from '../interactions/audited.ts'
import { placeOf, questionOf } from '../interactions/bundle/place.ts'
import type { AccessConditions } from '../scopes/access.ts'
import type { FhirDeps } from './deps.ts'
import { fhirErrors } from './fhir-errors.ts'
import { fhirOutput, respond } from './respond.ts'
import { queryOf, wishesOf, type Wishes } from './wishes.ts'

/** A request, as far as every FHIR route wants to know it. */
export interface FhirCall {
  readonly params: Readonly<Record<string, string>>
  readonly query: string
  readonly request: IncomingRequest
  readonly wishes: Wishes
  readonly access: AccessConditions
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
    output: fhirOutput,
    errors: fhirErrors,
    cors: (origin, deps) => deps.allowsOrigin(origin),
    onFault: ({ fault, caller, request }: FailedRequest, deps: FhirDeps) =>
      // Sound: `who` is signedIn, so whoever was found is a Caller.
      recordFault(accessOf(interaction, caller as Caller | undefined, request, deps), fault, deps),
    run: async ({ params, caller, request }, deps) => {
      const given = params as Record<string, string>
      const wishes = wishesOf(request, isNativeToo && given['type'] === 'Binary')
      await deps.audit.admit()
      const call = { params: given, query: queryOf(request), request, wishes }
      const answer = await run({ ...call, access: deps.authorize(caller) }, deps)
      recordAnswer(accessOf(interaction, caller, request, deps), answer, deps)
      return respond(answer, wishes, deps)
    },
  })
}

function accessOf(
  interaction: Interaction,
  caller: Caller | undefined,
  { id, peer, url }: IncomingRequest,
  { base }: FhirDeps,
): Access {
  const place = placeOf(url.slice(new URL(base).pathname.length), base)
  const named = place?.type === undefined || place.id === undefined ? [] : [{ type: place.type, id: place.id }]
  return {
    ...{ interaction, caller, requestId: id, peer },
    named,
    question: place === undefined ? undefined : questionOf(place),
  }
}
