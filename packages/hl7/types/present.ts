/**
 * The entries as they are, or undefined when none holds something (but for the one aside, which says nothing alone): an
 * empty data type is no data type.
 */
export function present<Shape extends object>(entries: Gappy<Shape>, aside?: keyof Shape): Shape | undefined {
  // Not copied without its gaps: objects of one shape are what makes reading thousands of fields cheap.
  for (const name in entries) {
    if (entries[name] !== undefined && name !== aside) return entries
  }
  return undefined
}

/** All keys are asked for, so that no reader forgets one. */
type Gappy<Shape> = Shape & { [Key in keyof Required<Shape>]: Shape[Key] }
