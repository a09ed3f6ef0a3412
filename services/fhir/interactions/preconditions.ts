import { incorrect } from '../../../packages/faults/fault.ts'
import type { Precondition } from '../store/change.ts'
import { versionNumber } from './read.ts'

/** `If-Match` and `If-None-Match` of a write. */
export function preconditionOf({
  ifMatch,
  ifNoneMatch,
}: {
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
}): { precondition?: Precondition } {
  const isPresent = ifMatch?.trim() === '*'
  const version = ifMatch === undefined || isPresent ? undefined : versionOf(ifMatch)
  if (ifNoneMatch !== undefined && ifNoneMatch.trim() !== '*') {
    throw incorrect('For a write If-None-Match can only be *.', { code: 'INVALID_ETAG' })
  }
  if (ifMatch === undefined && ifNoneMatch === undefined) return {}
  return {
    precondition: {
      ...(version === undefined ? {} : { version }),
      ...(isPresent ? { isPresent } : {}),
      ...(ifNoneMatch === undefined ? {} : { isAbsent: true }),
    },
  }
}

/** The versions that a list of entity tags names: `W/"3", "4"`. */
export function versionsOf(tags: string): string[] {
  return tags.split(',').map((tag) => /^(?:W\/)?"?([^"]*)"?$/.exec(tag.trim())?.[1] ?? '')
}

/** The date of If-Modified-Since; one that cannot be read is ignored, as RFC 9110 says. */
export function instantOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : new Date(ms)
}

/** What was never a version of ours can never be the current one. */
function versionOf(tag: string): number {
  const match = /^\s*(?:W\/)?"([^"]*)"\s*$/.exec(tag)
  if (match === null) {
    throw incorrect('If-Match must be one entity tag, such as W/"3".', { code: 'INVALID_ETAG' })
  }
  return versionNumber(match[1] ?? '') ?? 0
}
