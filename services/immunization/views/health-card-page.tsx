import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { EmptyState } from '../../../packages/views/components/empty-state.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import type { QrDrawing } from '../certificate/qr-drawing.ts'
import { AppLayout, type AppFrame } from './app-layout.tsx'
import { CodeDrawing } from './code-figure.tsx'

export interface HealthCardModel {
  readonly frame: AppFrame
  /** Why there is no card, where there is none. */
  readonly lacks?: keyof typeof reasons | undefined
  /** How many doses are only remembered, and so not on the card. */
  readonly leftOut: number
  /** Something of the record is not on it, because nobody knows when it was given. */
  readonly leavesOutUndated: boolean
  /** Some dose is too long for any code. */
  readonly isShort: boolean
  readonly codes: readonly {
    readonly number: number
    readonly of: number
    readonly doses: number
    readonly drawing: QrDrawing
  }[]
}

/** The certificate that proves itself. */
export function HealthCardPage({ frame, lacks, leftOut, leavesOutUndated, isShort, codes }: HealthCardModel) {
  const { text, count } = frame.words
  return (
    <AppLayout frame={frame} title={text('healthCardTitle')} here="certificate" address="/certificate/health-card">
      <PageHead
        title={text('healthCardTitle')}
        lead={text('healthCardLead')}
        actions={
          <>
            {lacks === undefined && (
              <Button href="/certificate/health-card/file" look="primary">
                {text('healthCardFile')}
              </Button>
            )}
            <Button href="/verify">{text('verifyLink')}</Button>
            <Button href="/certificate">{text('certificatePageTitle')}</Button>
          </>
        }
      />
      {lacks !== undefined ? (
        <Card>
          <EmptyState title={text(reasons[lacks].title)}>{text(reasons[lacks].text)}</EmptyState>
        </Card>
      ) : (
        <>
          <Alert tone="info" title={text('healthCardHow')}>
            {leftOut > 0 && <p>{text('leftUnsigned')}</p>}
            {leavesOutUndated && <p>{text('undatedLeftOut')}</p>}
            {isShort && <p>{text('healthCardLeavesOut')}</p>}
          </Alert>
          {codes.length > 0 && (
            <Card>
              <div class="code-grid large">
                {codes.map(({ number, of, doses, drawing }) => (
                  <figure key={number} class="code">
                    <CodeDrawing drawing={drawing} label={count('healthCardCode', doses)} />
                    <figcaption>
                      {of > 1 && <strong>{text('codeOf', { number, of })} </strong>}
                      {count('healthCardCode', doses)}
                    </figcaption>
                  </figure>
                ))}
              </div>
            </Card>
          )}
        </>
      )}
    </AppLayout>
  )
}

const reasons = {
  doses: { title: 'nothingToCertifyTitle', text: 'nothingToCertifyText' },
  /** Of those there are, nobody can sign for one. */
  signableDoses: { title: 'nothingToCertifyTitle', text: 'leftUnsigned' },
  identity: { title: 'cannotSignTitle', text: 'cannotSignText' },
} as const
