/** A glyph's outline as fontkit draws it; TrueType curves are quadratic. */
export interface Outline {
  readonly commands: readonly { readonly command: string; readonly args: readonly number[] }[]
}

interface Point {
  readonly x: number
  readonly y: number
  readonly isOnCurve: boolean
}

/** The outline as an entry of a TrueType `glyf` table: one simple glyph, whatever parts it was put together from. */
export function outlineGlyph(outline: Outline): Buffer {
  const contours = contoursOf(outline)
  const points = contours.flat()
  if (points.length === 0) return Buffer.alloc(0)
  const bytes: number[] = []
  const word = (value: number) => bytes.push((value >> 8) & 0xff, value & 0xff)
  word(contours.length)
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  for (const edge of [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]) word(edge)
  let end = -1
  for (const contour of contours) word((end += contour.length))
  word(0) // no instructions
  // Only whether a point is on the curve: every coordinate is a whole word.
  for (const { isOnCurve } of points) bytes.push(isOnCurve ? 1 : 0)
  for (const values of [xs, ys]) for (const [at, value] of values.entries()) word(value - (values[at - 1] ?? 0))
  // The table of offsets may count in words of four bytes.
  while (bytes.length % 4 !== 0) bytes.push(0)
  return Buffer.from(bytes)
}

function contoursOf({ commands }: Outline): Point[][] {
  const contours: Point[][] = []
  for (const { command, args } of commands) {
    if (command === 'moveTo') contours.push([])
    const contour = contours.at(-1)
    if (contour === undefined) continue
    for (let at = 0; at + 1 < args.length; at += 2) {
      const isControl = command === 'quadraticCurveTo' && at === 0
      contour.push({ x: Math.round(args[at] ?? 0), y: Math.round(args[at + 1] ?? 0), isOnCurve: !isControl })
    }
  }
  return contours.filter((contour) => contour.length > 1)
}
