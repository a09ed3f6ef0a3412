import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import type { LayoutProps } from '../../../packages/views/layout.tsx'
import type { Words } from '../words/words.ts'
import { OutsideLayout } from './outside-layout.tsx'

interface TroubleModel {
  readonly words: Words
  /** The page to try again. */
  readonly address: string
  readonly requestId: string
}

/** The record cannot be read. Nothing of it is shown, not even whose it is. */
export function TroublePage({ model, assetUrl }: { readonly model: TroubleModel } & Pick<LayoutProps, 'assetUrl'>) {
  const { words, address, requestId } = model
  const { text } = words
  return (
    <OutsideLayout words={words} title={text('troubleTitle')} home="/dashboard" address={address} assetUrl={assetUrl}>
      <PageHead title={text('troubleTitle')} lead={text('troubleLead')} />
      <Alert
        tone="bad"
        title={text('troubleWhat')}
        urgent
        actions={
          <Button href={address} look="primary">
            {text('tryAgain')}
          </Button>
        }
      >
        {text('troubleAdvice')}
      </Alert>
      <p class="facts">
        {text('requestNumber')} <code>{requestId}</code>
      </p>
    </OutsideLayout>
  )
}
