import type { RawSource } from './reading.ts'
import type { NamedKey } from './schema.ts'

/** What was said about the keys so far; whoever speaks later is right. */
export class TakenValues {
  readonly wrong: string[] = []
  readonly found = new Map<string, { readonly value: unknown; readonly place: string }>()
  /** Secrets that stand in files of their own, which are not read yet. */
  readonly secretFiles = new Map<
    string,
    { readonly named: NamedKey; readonly fileName: string; readonly place: string }
  >()

  take(named: NamedKey, raw: unknown, source: RawSource, place: string, written?: unknown): void {
    const reading = named.key.read(raw, source, written)
    if ('wrong' in reading) this.wrong.push(`${place}: ${named.path} ${reading.wrong}.`)
    else {
      this.secretFiles.delete(named.path)
      this.found.set(named.path, { value: reading.value, place })
    }
  }

  takeFileOf(named: NamedKey, fileName: string, place: string): void {
    this.found.delete(named.path)
    this.secretFiles.set(named.path, { named, fileName, place })
  }
}
