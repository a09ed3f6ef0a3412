/** The entries that hold something, or undefined when none does: an empty data type is no data type. */
export function present<Shape extends object>(entries: Gappy<Shape>): Shape | undefined {
  const kept = Object.entries(entries).filter(
    ([, value]) => value !== undefined && !(isList(value) && value.length === 0),
  )
  // Sound: every key of Shape that is left out may be left out, because Gappy asks for all keys and Shape is optional.
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as Shape)
}

type Gappy<Shape> = { [Key in keyof Required<Shape>]: Shape[Key] | undefined }

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
