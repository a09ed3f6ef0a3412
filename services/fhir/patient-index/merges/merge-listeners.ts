import type { MergeNews } from '../../../../ports/patient-index/merges/merge-news.ts'

/** Services of this process that keep records of patients themselves: a hint, for they look by themselves, too. */
export class MergeListeners {
  readonly #listeners = new Set<(patientIds: readonly string[]) => void>()

  readonly news: MergeNews = (hear) => {
    this.#listeners.add(hear)
    return () => this.#listeners.delete(hear)
  }

  tell(patientIds: readonly string[]): void {
    for (const hear of this.#listeners) hear(patientIds)
  }
}
