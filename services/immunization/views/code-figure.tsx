import { svgPath, type QrDrawing } from '../certificate/qr-drawing.ts'
import { useWords } from '../words/words.ts'

export interface CodeView {
  readonly number: number
  readonly of: number
  readonly vaccineNames: readonly string[]
  readonly drawing: QrDrawing
  /** What the code says. */
  readonly content: string
}

/** A QR code, always dark on white: readers of the other kind are rare. */
export function CodeFigure({ code }: { readonly code: CodeView }) {
  const { text, list } = useWords()
  const { number, of, drawing, vaccineNames } = code
  const names = list.format(vaccineNames)
  return (
    <figure class="code">
      <CodeDrawing drawing={drawing} label={text('codeAlternative', { names })} />
      {of > 1 && (
        <figcaption>
          <strong>{text('codeOf', { number, of })}</strong> <bdi>{names}</bdi>
        </figcaption>
      )}
    </figure>
  )
}

export function CodeDrawing({ drawing, label }: { readonly drawing: QrDrawing; readonly label: string }) {
  const { side } = drawing
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn in the page, so that it prints sharp
    <svg role="img" aria-label={label} viewBox={`0 0 ${side} ${side}`} shape-rendering="crispEdges">
      <path class="code-light" d={`M0 0h${side}v${side}H0z`} />
      <path class="code-dark" d={svgPath(drawing)} />
    </svg>
  )
}
