import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { PatientBanner } from '../../../packages/views/components/patient-banner.tsx'
import type { Choice } from '../authorize/consent.ts'
import type { PatientRow } from '../portal/patient-row.ts'
import type { PageProps } from './login-page.tsx'
import { scopeInWords } from './scope-words.ts'
import { UserLayout, type SignedIn } from './user-layout.tsx'

interface ConsentModel extends SignedIn {
  readonly request: string
  readonly app: { readonly name: string; readonly policyUri: string | null; readonly tosUri: string | null }
  readonly choices: readonly Choice[]
  /** Whose record the app gets, unless it is the user's own or nobody's. */
  readonly patient: PatientRow | undefined
}

export function ConsentPage({ model, assetUrl }: PageProps<ConsentModel>) {
  const { app, choices, request, csrf, patient } = model
  return (
    <UserLayout
      title="Allow access"
      width="narrow"
      signedIn={model}
      assetUrl={assetUrl}
      banner={patient === undefined ? undefined : <PatientBanner {...patient} />}
    >
      <PageHead
        title="Allow access"
        lead={
          <>
            <bdi>{app.name}</bdi> asks for the following. Take away what you do not want it to have.
          </>
        }
      />
      <Card>
        <form class="form" method="post" action={`/oauth2/authorize/consent?request=${encodeURIComponent(request)}`}>
          <input type="hidden" name="_csrf" value={csrf} />
          <input type="hidden" name="request" value={request} />
          {choices.map((choice) => (
            <ChoiceField key={choice.scope} choice={choice} />
          ))}
          {app.policyUri !== null && (
            <p>
              <a href={app.policyUri}>How the app treats your data</a>
            </p>
          )}
          {app.tosUri !== null && (
            <p>
              <a href={app.tosUri}>The terms of the app</a>
            </p>
          )}
          <div class="actions">
            <Button look="primary" name="decision" value="allow">
              Allow
            </Button>
            <Button name="decision" value="deny">
              Do not allow
            </Button>
          </div>
        </form>
      </Card>
    </UserLayout>
  )
}

function ChoiceField({ choice: { scope, narrower, isFixed } }: { readonly choice: Choice }) {
  if (isFixed) return <p>{scopeInWords(scope)}</p>
  return (
    <div class="field">
      <Tick scope={scope} label={scopeInWords(scope)} ticked />
      {narrower.length > 0 && (
        <details>
          <summary>Or only a part of it</summary>
          <p class="hint">Clear the box above, then choose here.</p>
          <ul>
            {narrower.map((part) => (
              <li key={part.scope}>
                <Tick scope={part.scope} label={`Only ${part.label}`} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function Tick({
  scope,
  label,
  ticked = false,
}: {
  readonly scope: string
  readonly label: string
  readonly ticked?: boolean
}) {
  return (
    <label>
      <input type="checkbox" name="scope" value={scope} checked={ticked} /> {label}
    </label>
  )
}
