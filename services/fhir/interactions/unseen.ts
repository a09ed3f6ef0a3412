import type { AccessConditions } from '../scopes/access.ts'
import { readVersion } from '../store/read.ts'
import type { Answer } from './answer.ts'
import type { InteractionDeps } from './deps.ts'

/**
 * The answer to a patch for who made it. Unlike any other write it would show what the caller did not send: a patch of
 * nothing would be a read. Who may not read what they have changed is told that it was changed.
 */
export async function asFarAsSeen(
  answer: Answer,
  access: AccessConditions,
  { database, engine }: Pick<InteractionDeps, 'database' | 'engine'>,
): Promise<Answer> {
  if (answer.kind !== 'updated') return answer
  const { stored } = answer
  const reach = access.of(stored.type, 'r')
  if (reach === 'unrestricted') return answer
  const isSeen = reach !== 'none' && (await readVersion({ ...stored, access }, database, engine)) !== undefined
  return isSeen ? answer : { kind: 'changed-unseen', stored }
}
