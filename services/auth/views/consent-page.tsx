import { Button } from '../../../packages/views/components/button.tsx'
import { Card } from '../../../packages/views/components/card.tsx'
import { PageHead } from '../../../packages/views/components/page-head.tsx'
import { PatientBanner } from '../../../packages/views/components/patient-banner.tsx'
import { Filled } from '../../../packages/views/words/filled.tsx'
import type { Choice } from '../authorize/consent.ts'
import type { PatientRow } from '../portal/patient-row.ts'
import { staff, type Reader } from '../words/reader.ts'
import type { Words } from '../words/words.ts'
import type { PageProps } from './login-page.tsx'
import { scopeInWords } from './scope-words.ts'
import { UserLayout, type SignedIn } from './user-layout.tsx'

interface ConsentModel extends SignedIn {
  readonly reader: Reader
  readonly request: string
  readonly app: { readonly name: string; readonly policyUri: string | null; readonly tosUri: string | null }
  readonly choices: readonly Choice[]
  /** For which patient the user is asked; the form says it, so that it counts for no other. */
  readonly patientId: string | null
  /** Whose record the app gets, unless it is the user's own or nobody's. */
  readonly patient: PatientRow | undefined
}

export function ConsentPage({ model, assetUrl }: PageProps<ConsentModel>) {
  const { reader, app, choices, request, csrf, patientId, patient } = model
  const { words } = reader
  const { text } = words
  return (
    <UserLayout
      title={text('allowTitle')}
      width="narrow"
      signedIn={model}
      reader={reader}
      assetUrl={assetUrl}
      banner={patient === undefined ? undefined : <PatientBanner {...shownTo(reader, patient)} />}
    >
      <PageHead
        title={text('allowTitle')}
        lead={<Filled text={text('allowLead')} parts={{ app: <bdi>{app.name}</bdi> }} />}
      />
      <Card>
        <form class="form" method="post" action={`/oauth2/authorize/consent?request=${encodeURIComponent(request)}`}>
          <input type="hidden" name="_csrf" value={csrf} />
          <input type="hidden" name="request" value={request} />
          <input type="hidden" name="patient" value={patientId ?? ''} />
          {choices.map((choice) => (
            <ChoiceField key={choice.scope} choice={choice} words={words} />
          ))}
          {app.policyUri !== null && (
            <p>
              <a href={app.policyUri}>{text('policy')}</a>
            </p>
          )}
          {app.tosUri !== null && (
            <p>
              <a href={app.tosUri}>{text('terms')}</a>
            </p>
          )}
          <div class="actions">
            <Button look="primary" name="decision" value="allow">
              {text('allow')}
            </Button>
            <Button name="decision" value="deny">
              {text('deny')}
            </Button>
          </div>
        </form>
      </Card>
    </UserLayout>
  )
}

/** Whoever stands beside a patient knows them by name and birthday; what else there is has English words. */
const shownTo = (reader: Reader, patient: PatientRow) =>
  reader === staff ? patient : { name: patient.name, birthDate: patient.birthDate }

interface ChoiceFieldProps {
  readonly choice: Choice
  readonly words: Words
}

function ChoiceField({ choice: { scope, narrower, isFixed }, words }: ChoiceFieldProps) {
  const { text } = words
  if (isFixed) return <p>{scopeInWords(scope, words)}</p>
  return (
    <div class="field">
      <Tick scope={scope} label={scopeInWords(scope, words)} ticked />
      {narrower.length > 0 && (
        <details>
          <summary>{text('orPart')}</summary>
          <p class="hint">{text('partHint')}</p>
          <ul>
            {narrower.map((part) => (
              <li key={part.scope}>
                <Tick scope={part.scope} label={text('onlyPart', { part: text(`part_${part.code}`) })} />
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
