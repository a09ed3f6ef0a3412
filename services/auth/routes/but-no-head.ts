import { assert } from '../../../packages/faults/fault.ts'
import { reply } from '../../../packages/http/answer.ts'
import type { Who } from '../../../packages/http/who.ts'

/**
 * RFC 9110 section 9.2.1: a HEAD changes nothing. Behind these addresses a GET makes a code, uses up a launch or takes up
 * what waits, so they take none.
 */
export function butNoHead<Known>(who: Who<Known>, methods: string): Who<Known> {
  const { find } = who
  assert(find !== undefined, 'whoever comes to these addresses is found by a guard')
  return {
    ...who,
    find: (request, deps) =>
      request.method === 'HEAD' ? reply(405, undefined, { allow: methods }) : find(request, deps),
  }
}
