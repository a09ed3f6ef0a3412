import type { Fault } from '../../../packages/faults/fault.ts'
import type { Interaction, TouchedResource } from '../audit/audited-access.ts'
import type { Outcome, Stored } from '../store/change.ts'

/** What an interaction comes to, before HTTP or a bundle entry says it in its own words. */
export type Answer =
  | Exclude<Outcome, { kind: 'refused' }>
  /** It was changed by who may not read it: nothing of it is shown. */
  | { readonly kind: 'changed-unseen'; readonly stored: Stored }
  /** A resource or one version of it. */
  | { readonly kind: 'found'; readonly stored: Stored }
  /** The caller has this version already. */
  | { readonly kind: 'not-modified'; readonly stored: Stored }
  /** A bundle, an outcome or what an operation gives: JSON that is not kept under an id. */
  | {
      readonly kind: 'made'
      readonly content: string
      /** Whose content is in it. */
      readonly touched: readonly TouchedResource[]
      /** Of a bundle: what each entry was. */
      readonly parts?: readonly AnsweredPart[]
    }

/** One entry of a bundle as the audit log wants to know it. */
export interface AnsweredPart {
  readonly interaction: Interaction
  readonly touched: readonly TouchedResource[]
  /** `Observation?code=…`, where the entry asked rather than named a resource. */
  readonly question?: string
  /** Why it was refused. */
  readonly fault?: Fault
}

export function touchedBy(answer: Answer): readonly TouchedResource[] {
  if (answer.kind === 'made') return answer.touched
  if (answer.kind === 'absent') return []
  const { type, id, version } = answer.stored
  return [{ type, id, version }]
}

/** What was done to many resources in one call is one access to all of them. Questions and refusals stay apart. */
export function ofOneKind(parts: readonly AnsweredPart[]): AnsweredPart[] {
  const groups = Map.groupBy(parts, ({ interaction, question, fault }) =>
    question === undefined && fault === undefined ? interaction : undefined,
  )
  return [...groups].flatMap(([interaction, of]) =>
    interaction === undefined ? of : [{ interaction, touched: of.flatMap(({ touched }) => touched) }],
  )
}
