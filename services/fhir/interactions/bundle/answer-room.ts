import { unprocessable } from '../../../../packages/faults/fault.ts'
import type { BundleEntry } from '../bundle-text.ts'
import type { InteractionDeps } from '../deps.ts'
import { isReading, type EntryRequest } from './entry-request.ts'
import type { BundleRequest } from './bundle-request.ts'

/** How much the entries of a bundle show: all of it is held until the last of them is answered. */
export class AnswerRoom {
  readonly #charactersMax: number
  #characters = 0

  constructor({ answerCharactersMax }: InteractionDeps['limits']) {
    this.#charactersMax = answerCharactersMax
  }

  /** Before something is read that would have to be shown. */
  requireRoom(): void {
    if (this.#isFull) throw tooLarge()
  }

  /** The request as far as there is room: what was written is shown where the caller prefers it, and need not be. */
  narrowed(request: BundleRequest, entry: EntryRequest): BundleRequest {
    return this.#isFull && !isReading(entry) ? { ...request, shows: 'nothing' } : request
  }

  take({ resource = '' }: Pick<BundleEntry, 'resource'>): void {
    this.#characters += resource.length
  }

  get #isFull(): boolean {
    return this.#characters > this.#charactersMax
  }
}

const tooLarge = () =>
  unprocessable(
    'What the entries before this one have read is all that one answer holds. Ask for this in another bundle.',
    { code: 'ANSWER_TOO_LARGE' },
  )
