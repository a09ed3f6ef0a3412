import type { QrDrawing } from '../certificate/qr-svg.ts'
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
  const { text, locale } = useWords()
  const { number, of, drawing, vaccineNames } = code
  const names = new Intl.ListFormat(locale).format(vaccineNames)
  return (
    <figure class="code">
      <svg
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn in the page, so that it prints sharp
        role="img"
        aria-label={text('codeAlternative', { names })}
        viewBox={`0 0 ${drawing.side} ${drawing.side}`}
        shape-rendering="crispEdges"
      >
        <path class="code-light" d={`M0 0h${drawing.side}v${drawing.side}H0z`} />
        <path class="code-dark" d={drawing.path} />
      </svg>
      {of > 1 && (
        <figcaption>
          <strong>{text('codeOf', { number, of })}</strong> <bdi>{names}</bdi>
        </figcaption>
      )}
    </figure>
  )
}
