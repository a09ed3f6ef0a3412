import { Alert } from '../../../packages/views/components/alert.tsx'
import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { Field } from '../../../packages/views/components/field.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { Layout } from '../../../packages/views/layout.tsx'

export interface LoginModel {
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

export type LoginNotice = 'failed' | 'signed-out' | Wait

/** Why the next try has to wait, and for how long. */
export interface Wait {
  readonly why: string
  readonly seconds: number
}

export interface PageProps<Model> {
  readonly model: Model
  readonly assetUrl: (name: string) => string
}

export function LoginPage({ model, assetUrl }: PageProps<LoginModel>) {
  const { app, username, notice, request, to, asksForCode } = model
  return (
    <Layout title="Sign in" width="narrow" assetUrl={assetUrl}>
      <PageHead
        title="Sign in"
        lead={app === undefined ? 'to the clinician portal' : <>{<bdi>{app}</bdi>} asks you to sign in.</>}
      />
      {notice === 'failed' && (
        <Alert tone="bad" urgent title="That did not work">
          Check your user name and password{asksForCode && ', and your code,'} and try again. After several tries you
          have to wait a moment.
        </Alert>
      )}
      {typeof notice === 'object' && (
        <Alert tone="bad" urgent title="Please wait">
          {notice.why} You can try again in {inWords(notice.seconds)}.
        </Alert>
      )}
      {notice === 'signed-out' && <Alert tone="good" title="You are signed out" />}
      <Card>
        <form class="form" method="post" action="/login">
          {request !== undefined && <input type="hidden" name="request" value={request} />}
          {to !== undefined && <input type="hidden" name="to" value={to} />}
          <Field
            name="username"
            label="User name"
            value={username?.slice(0, nameCharactersMax)}
            autocomplete="username"
            maxLength={nameCharactersMax}
            autofocus={notice === 'failed' || typeof notice === 'object'}
            required
          />
          <Field name="password" label="Password" type="password" autocomplete="current-password" required />
          {asksForCode && (
            <Field
              name="totp"
              label="One-time code"
              hint="From your authenticator app, if you use one."
              autocomplete="one-time-code"
              inputMode="numeric"
              maxLength={20}
            />
          )}
          <Button look="primary">Sign in</Button>
        </form>
      </Card>
    </Layout>
  )
}

const nameCharactersMax = 64

function inWords(seconds: number): string {
  if (seconds === 1) return 'a second'
  return seconds <= 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}
