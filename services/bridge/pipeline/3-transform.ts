import { Fault, faultOf } from '../../../packages/faults/fault.ts'
import type { Terminology } from '../../../ports/terminology/terminology.ts'
import type { MappingContext } from '../mapping/context.ts'
import { linkedByIndex } from '../mapping/golden-link.ts'
import { mapMessage } from '../mapping/map-message.ts'
import type { Mapped } from '../mapping/mapped.ts'
import { termKey, termsAmong, termsFrom, type CodeNeed, type Terms } from '../mapping/terms.ts'
import type { Person } from '../mapping/person.ts'
import { otherPerson } from '../mapping/refusals.ts'
import { findFurther } from '../persist/find-stored.ts'
import type { FindDeps } from '../persist/find-deps.ts'
import { hasSomebodyElse } from '../persist/other-person.ts'
import type { Stored } from '../persist/stored.ts'
import type { Received } from './received.ts'
import { isStop, nack, refusedByMapping, unanswered, type Stop } from './stop.ts'
import { stoppedByStore } from './stopped-by-store.ts'

/** TRANSFORM promises: the message as FHIR, its codes checked or translated as far as anybody can. */
export interface Transformed {
  readonly mapped: Mapped
  /** What the store has of it, also of what only its translated codes have shown it to be. */
  readonly stored: Stored
  /** Codes that have no counterpart: they are kept as they came, and somebody has to look at them. */
  readonly unmapped: readonly CodeNeed[]
}

export interface TransformDeps extends FindDeps {
  /** Behind a circuit breaker of its own, and remembered. */
  readonly terminology: Terminology
  /** Without the terminology service: refuse the message (resend later), or keep codes that nobody remembers as they came. */
  readonly terminologyRequired: boolean
  /** Under the number of somebody of another name, birth date and sex: refuse the message, or take it with a warning. */
  readonly otherPersonRefused: boolean
}

export interface ToTransform {
  readonly received: Received
  readonly context: MappingContext
  readonly sketch: Mapped
  readonly people: readonly Person[]
  /** What ENRICH found. */
  readonly stored: Stored
}

export async function transform(message: ToTransform, deps: TransformDeps): Promise<Transformed | Stop> {
  const { received, context, sketch, people } = message
  const terms = await look(sketch.needs, received, deps)
  if (isStop(terms)) return terms
  // No code was learned since the sketch: it is the message already.
  const mapped = terms.size === 0 ? sketch : mapMessage(received.message, { ...context, terms })
  if (mapped.refused !== undefined) return refusedByMapping(mapped.refused)
  const unmapped = sketch.needs.filter((need) => terms.get(termKey(need)) === 'unmapped')
  const stored = await findFurther(mapped.writes, { ...message, sought: sketch.writes }, received.signal, deps).catch(
    faultOf,
  )
  if (stored instanceof Fault) return stoppedByStore(stored)
  if (deps.otherPersonRefused && hasSomebodyElse(mapped.writes, stored)) {
    const text = 'The number of the patient is that of somebody of another name, birth date and sex. Ask the operator.'
    return nack(otherPerson, text, { code: 'AE' })
  }
  const goldenIds = new Map(people.map(({ fullUrl, goldenId }) => [fullUrl, goldenId]))
  const writes = linkedByIndex(mapped.writes, (fullUrl) => goldenIds.get(fullUrl))
  return { mapped: { ...mapped, writes }, stored, unmapped }
}

async function look(
  needs: readonly CodeNeed[],
  { signal }: Received,
  { terminology, terminologyRequired }: TransformDeps,
): Promise<Terms | Stop> {
  if (needs.length === 0) return new Map()
  try {
    return termsFrom(needs, await terminology.codingsIn(needs, { signal }))
  } catch (thrown) {
    if (terminologyRequired) return unanswered('TERMINOLOGY_UNAVAILABLE', 'The terminology service', thrown)
    // The mapping warns of every code that was not looked up.
    return termsAmong(needs, terminology.remembered?.(needs) ?? [])
  }
}
