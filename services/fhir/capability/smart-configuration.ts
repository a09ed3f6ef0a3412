import type { Clock } from '../../../packages/clock/clock.ts'
import { unavailable } from '../../../packages/faults/fault.ts'

interface SmartConfigurationDeps {
  /** The address of the authorization server. */
  readonly authorizationServer: string
  readonly getJson: (url: string) => Promise<unknown>
  readonly clock: Clock
}

const freshMs = 60_000

/**
 * The SMART document of the authorization server, asked for where it is, in this process or elsewhere, and kept for a
 * minute: apps read it under the FHIR base, and there must be only one.
 */
export function remoteSmartConfiguration(deps: SmartConfigurationDeps): () => Promise<object> {
  let kept: { readonly document: object; readonly untilMs: number } | undefined
  return async () => {
    const nowMs = deps.clock.monotonicMs()
    if (kept !== undefined && nowMs < kept.untilMs) return kept.document
    const document = await deps.getJson(`${deps.authorizationServer}/.well-known/smart-configuration`)
    if (typeof document !== 'object' || document === null) {
      throw unavailable('The authorization server gave an answer that cannot be used.', { code: 'BAD_GATEWAY' })
    }
    kept = { document, untilMs: nowMs + freshMs }
    return document
  }
}
