/** The entries that hold something, or undefined when none does: an empty data type is no data type. */
export function present<Shape extends object>(entries: Gappy<Shape>): Shape | undefined {
  // A loop over names: this runs for every data type of every message, and lists of pairs cost twice as much.
  const kept: Record<string, unknown> = {}
  let count = 0
  for (const name in entries) {
    const value = entries[name]
    if (value === undefined || (isList(value) && value.length === 0)) continue
    kept[name] = value
    count++
  }
  // Sound: every key of Shape that is left out may be left out, because Gappy asks for all keys and Shape is optional.
  return count === 0 ? undefined : (kept as Shape)
}

type Gappy<Shape> = { [Key in keyof Required<Shape>]: Shape[Key] | undefined }

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
