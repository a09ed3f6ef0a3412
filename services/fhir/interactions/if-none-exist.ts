import { incorrect } from '../../../packages/faults/fault.ts'

/**
 * The criteria of a conditional create. R4 wants what would follow the question mark; many send the whole address, which
 * means the same as long as it is one of the type that is created.
 */
export function criteriaSent(text: string, type: string | undefined, base: string): string {
  const local = text.startsWith(`${base}/`) ? text.slice(base.length + 1) : text
  const { named, criteria = text } = /^(?<named>[A-Z][A-Za-z]+)?[?](?<criteria>.*)$/s.exec(local)?.groups ?? {}
  if (named !== undefined && named !== type) {
    throw incorrect(`If-None-Exist asks for another type than the one that is created: ${type}.`)
  }
  return criteria
}
