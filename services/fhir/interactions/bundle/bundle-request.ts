import type { AccessConditions } from '../../scopes/access.ts'
import type { AnsweredPart } from '../answer.ts'
import type { Operate } from './operation-entry.ts'

export interface BundleRequest {
  readonly bundle: unknown
  readonly access: AccessConditions
  /** What is shown of each resource beside its response. */
  readonly shows: 'nothing' | 'resource' | 'outcome'
  readonly isStrict: boolean
  /** Carries out operations, of a batch only: what they do is no part of a transaction. */
  readonly operate?: Operate
  /** Told what a transaction asked that is then refused: why it is may say what was found. */
  readonly tellRefused?: (parts: readonly AnsweredPart[]) => void
}
