import { STATUS_CODES } from 'node:http'

/** What a declared status means, in words. */
export function statusMeaning(status: number): string {
  return STATUS_CODES[status] ?? `Status ${status}`
}
