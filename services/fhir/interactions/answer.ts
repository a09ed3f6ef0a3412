import type { Outcome, Stored } from '../store/change.ts'

/** What an interaction comes to, before HTTP or a bundle entry says it in its own words. */
export type Answer =
  | Exclude<Outcome, { kind: 'refused' }>
  /** A resource or one version of it. */
  | { readonly kind: 'found'; readonly stored: Stored }
  /** The caller has this version already. */
  | { readonly kind: 'not-modified'; readonly stored: Stored }
  /** A bundle, an outcome or what an operation gives: JSON that is not kept under an id. */
  | { readonly kind: 'made'; readonly content: string }
