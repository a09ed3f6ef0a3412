import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import type { LayoutProps } from '../../../packages/views/layout.tsx'
import type { LaunchError } from '../launch/launch-errors.ts'
import type { Words } from '../words/words.ts'
import { OutsideLayout } from './outside-layout.tsx'

interface LaunchPageModel {
  readonly words: Words
  readonly error: LaunchError | undefined
  /** Where the app launches by itself. */
  readonly iss: string
}

/** The way in for who was not launched, or whose session has ended. */
export function LaunchPage({ model, assetUrl }: { readonly model: LaunchPageModel } & Pick<LayoutProps, 'assetUrl'>) {
  const { words, error, iss } = model
  const { text } = words
  return (
    <OutsideLayout
      words={words}
      title={text('appName')}
      home="/launch"
      address={error === undefined ? '/launch' : `/launch?error=${error}`}
      assetUrl={assetUrl}
    >
      <PageHead title={text('launchTitle')} lead={text('launchLead')} />
      {error !== undefined && (
        <Alert tone={toneOf(error)} title={text(`launchError_${error}`)} urgent={toneOf(error) === 'bad'}>
          {text(`launchAdvice_${error}`)}
        </Alert>
      )}
      <Card title={text('launchFromPortal')}>
        <p>{text('launchFromPortalText')}</p>
      </Card>
      <Card title={text('launchAlone')}>
        <div class="stack">
          <p>{text('launchAloneText')}</p>
          <div class="actions">
            <Button href={`/launch?iss=${encodeURIComponent(iss)}`} look="primary">
              {text('launchAloneButton')}
            </Button>
          </div>
        </div>
      </Card>
      <p>
        <a href="/verify">{text('verifyLink')}</a>
      </p>
    </OutsideLayout>
  )
}

/** An end that was to be expected is said calmly. */
function toneOf(error: LaunchError): 'info' | 'good' | 'warning' | 'bad' {
  if (error === 'signed_out') return 'good'
  if (error === 'no_session') return 'info'
  return error === 'session_expired' || error === 'access_denied' ? 'warning' : 'bad'
}
