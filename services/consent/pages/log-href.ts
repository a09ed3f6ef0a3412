import type { EventPlace, LogKind } from '../store/recent-events.ts'

/** What of the log is looked at. */
export interface LogView {
  /** Whose rows are shown: a caller, or `Patient/…`. */
  readonly about: string
  /** All kinds where none is chosen. */
  readonly kind: LogKind | undefined
}

/** The address of a view of the log, and of the part of it that comes after a row. */
export function logHref({ about, kind }: LogView, after?: EventPlace): string {
  const query = new URLSearchParams({
    ...(about === '' ? {} : { about }),
    ...(kind === undefined ? {} : { kind }),
    ...(after && { before: after.at.toISOString(), chain: after.chain, position: String(after.position) }),
  })
  return query.size === 0 ? '/admin' : `/admin?${query.toString()}`
}
