import { unprocessable } from '../../../../packages/faults/fault.ts'
import type { Answer } from '../answer.ts'
import type { InteractionDeps } from '../deps.ts'
import { contentOfAnswer } from '../entry-response.ts'

/** What the entries of a bundle have read: all of it is held until the last of them is answered. */
export class ReadingSoFar {
  readonly #charactersMax: number
  #characters = 0

  constructor({ answerCharactersMax }: InteractionDeps['limits']) {
    this.#charactersMax = answerCharactersMax
  }

  checkRoom(): void {
    if (this.#characters > this.#charactersMax) throw tooLarge()
  }

  add(answer: Answer): void {
    this.#characters += contentOfAnswer(answer)?.length ?? 0
  }
}

const tooLarge = () =>
  unprocessable(
    'What the entries before this one have read is all that one answer holds. Ask for this in another bundle.',
    {
      code: 'ANSWER_TOO_LARGE',
    },
  )
