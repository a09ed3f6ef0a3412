import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import type { LayoutProps } from '../../../packages/views/layout.tsx'
import type { Words } from '../words/words.ts'
import { OutsideLayout } from './outside-layout.tsx'

interface TroubleModel {
  readonly words: Words
  readonly cause: keyof typeof causes
  /** The page to try again. */
  readonly address: string
  readonly requestId: string
}

/** The page cannot be made. Nothing of the record is shown, not even whose it is. */
export function TroublePage({ model, assetUrl }: { readonly model: TroubleModel } & Pick<LayoutProps, 'assetUrl'>) {
  const { words, address, requestId } = model
  const { text } = words
  const { title, lead } = causes[model.cause]
  return (
    <OutsideLayout words={words} title={text(title)} home="/dashboard" address={address} assetUrl={assetUrl}>
      <PageHead title={text(title)} lead={text(lead)} />
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

const causes = {
  record: { title: 'troubleTitle', lead: 'troubleLead' },
  key: { title: 'troubleKeyTitle', lead: 'troubleKey' },
  elsewhere: { title: 'troubleTitle', lead: 'troubleElsewhere' },
} as const

/** By the code of the fault: whoever calls the operator should name the right part. */
export function causeOf(code: string | undefined): TroubleModel['cause'] {
  if (code === 'fhir_unavailable') return 'record'
  return code === 'SIGNING_KEY_UNREADABLE' ? 'key' : 'elsewhere'
}
