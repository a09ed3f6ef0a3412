import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { Field } from '../../../packages/views/components/field.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Layout } from '../../../packages/views/layout.tsx'
import { Filled } from '../../../packages/views/words/filled.tsx'
import type { Reader } from '../words/reader.ts'
import type { Words } from '../words/words.ts'

export interface LoginModel {
  readonly reader: Reader
  /** The app that asks for the login, if one does. */
  readonly app?: string | undefined
  /** Whom it expects (`login_hint`). */
  readonly username?: string | undefined
  readonly notice: LoginNotice | undefined
  /** The request that waits for the login. */
  readonly request: string | undefined
  /** The page that was wanted. */
  readonly to?: string | undefined
  readonly asksForCode: boolean
}

export type LoginNotice =
  | 'failed'
  | 'signed-out'
  /** The next try has to wait so long. */
  | { readonly seconds: number }

export interface PageProps<Model> {
  readonly model: Model
  readonly assetUrl: (name: string) => string
}

export function LoginPage({ model, assetUrl }: PageProps<LoginModel>) {
  const { reader, app, username, notice, request, to, asksForCode } = model
  const { text } = reader.words
  return (
    <Layout title={text('signIn')} width="narrow" assetUrl={assetUrl} {...reader.layout}>
      <PageHead
        title={text('signIn')}
        lead={
          app === undefined ? text('signInLead') : <Filled text={text('appAsks')} parts={{ app: <bdi>{app}</bdi> }} />
        }
      />
      <Notice notice={notice} asksForCode={asksForCode} words={reader.words} />
      <Card>
        <form class="form" method="post" action="/login">
          {request !== undefined && <input type="hidden" name="request" value={request} />}
          {to !== undefined && <input type="hidden" name="to" value={to} />}
          <Field
            name="username"
            label={text('userName')}
            value={username?.slice(0, nameCharactersMax)}
            autocomplete="username"
            maxLength={nameCharactersMax}
            autofocus={notice === 'failed' || typeof notice === 'object'}
            required
          />
          <Field name="password" label={text('password')} type="password" autocomplete="current-password" required />
          {asksForCode && (
            <Field
              name="totp"
              label={text('oneTimeCode')}
              hint={text('oneTimeCodeHint')}
              autocomplete="one-time-code"
              inputMode="numeric"
              maxLength={20}
            />
          )}
          <Button look="primary">{text('signIn')}</Button>
        </form>
      </Card>
    </Layout>
  )
}

const nameCharactersMax = 64

interface NoticeProps extends Pick<LoginModel, 'notice' | 'asksForCode'> {
  readonly words: Words
}

function Notice({ notice, asksForCode, words: { text, span } }: NoticeProps) {
  if (notice === undefined) return null
  if (notice === 'signed-out') return <Alert tone="good" title={text('signedOutTitle')} />
  if (notice === 'failed') {
    return (
      <Alert tone="bad" urgent title={text('failedTitle')}>
        {text(asksForCode ? 'failedTextCode' : 'failedText')}
      </Alert>
    )
  }
  const { seconds } = notice
  const time = seconds <= 90 ? span(seconds, 'second') : span(Math.ceil(seconds / 60), 'minute')
  return (
    <Alert tone="bad" urgent title={text('waitTitle')}>
      {text('waitText', { time })}
    </Alert>
  )
}
