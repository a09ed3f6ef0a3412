/** What a value was read from: YAML gives typed values, the environment only text. */
export type RawSource = 'file' | 'environment'

/** The value, or a sentence fragment that says what it must be ("must be a port from 0 to 65535"). */
export type Reading<Value> = { readonly value: Value } | { readonly wrong: string }

/** A file also has the value as it was written, every scalar a text. */
export type Read<Value> = (raw: unknown, source: RawSource, written?: unknown) => Reading<Value>
