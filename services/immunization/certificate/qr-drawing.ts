import type { QrMatrix } from './qr-matrix.ts'

/** A code as a drawing for pages and print, over a square of `side` units, a unit a module. */
export interface QrDrawing {
  readonly side: number
  /** Each run of dark modules is one rectangle, so that no hairline shows between modules in print. */
  readonly runs: readonly DarkRun[]
}

interface DarkRun {
  readonly x: number
  readonly y: number
  readonly length: number
}

export function qrDrawing(matrix: QrMatrix): QrDrawing {
  const runs = matrix.flatMap((modules, y) => darkRuns(modules).map(([x, length]) => ({ x, y, length })))
  return { side: matrix.length, runs }
}

/** The dark modules as one path of an SVG. */
export const svgPath = ({ runs }: QrDrawing): string =>
  runs.map(({ x, y, length }) => `M${x} ${y}h${length}v1h-${length}z`).join('')

/** The same in the words of a PDF. pdfkit would take them from a path, ten times as slowly and in four times the space. */
export const pdfRectangles = ({ runs }: QrDrawing): string =>
  runs.map(({ x, y, length }) => `${x} ${y} ${length} 1 re`).join('\n')

function darkRuns(modules: readonly boolean[]): (readonly [start: number, length: number])[] {
  const runs: [number, number][] = []
  for (const [x, isDark] of modules.entries()) {
    const last = runs.at(-1)
    if (!isDark) continue
    if (last !== undefined && last[0] + last[1] === x) last[1]++
    else runs.push([x, 1])
  }
  return runs
}
