import type { Answer } from './answer.ts'
import {
  creation,
  matchingRemoval,
  matchingReplacement,
  removal,
  replacement,
  type ConditionalDeleteRequest,
  type ConditionalUpdateRequest,
  type CreateRequest,
  type DeleteRequest,
  type UpdateRequest,
} from './changes.ts'
import type { InteractionDeps } from './deps.ts'

/** `POST Type` */
export async function create(request: CreateRequest, deps: InteractionDeps): Promise<Answer> {
  return deps.store.write(creation(request, deps))
}

/** `PUT Type/id`: creates it under this id if it is not there, for who may know whether it is. */
export async function update(request: UpdateRequest, deps: InteractionDeps): Promise<Answer> {
  return deps.store.write(replacement(request, deps))
}

/** `PUT Type?criteria` */
export async function updateMatching(request: ConditionalUpdateRequest, deps: InteractionDeps): Promise<Answer> {
  return deps.store.write(matchingReplacement(request, deps))
}

/** `DELETE Type/id` */
export async function remove(request: DeleteRequest, deps: InteractionDeps): Promise<Answer> {
  return deps.store.write(removal(request, deps))
}

/** `DELETE Type?criteria`: one at most. */
export async function removeMatching(request: ConditionalDeleteRequest, deps: InteractionDeps): Promise<Answer> {
  return deps.store.write(matchingRemoval(request, deps))
}
