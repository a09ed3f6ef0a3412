import type { QrMatrix } from './qr-matrix.ts'

/** A code as a drawing for pages and print: one path over a square of `side` units, a unit a module. */
export interface QrDrawing {
  readonly side: number
  readonly path: string
}

/** Each run of dark modules is one rectangle, so that no hairline shows between modules in print. */
export function qrDrawing(matrix: QrMatrix): QrDrawing {
  const runs = matrix.flatMap((modules, y) =>
    darkRuns(modules).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`),
  )
  return { side: matrix.length, path: runs.join('') }
}

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
