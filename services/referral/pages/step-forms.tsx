import { Button } from '../../../packages/views/components/button.tsx'
import { Field } from '../../../packages/views/components/field.tsx'
import { Select } from '../../../packages/views/components/select.tsx'
import type { OfferedAction } from '../available-actions.ts'
import { AskedForm } from './asked-form.tsx'
import { actionWords } from './words.ts'

interface StepFormsProps {
  readonly id: number
  /** What is sent is what was seen. */
  readonly version: number
  /** Only what is allowed now has a button. */
  readonly actions: readonly OfferedAction[]
  /** Whom else to ask; without anybody nobody is. */
  readonly facilities: readonly { readonly value: string; readonly label: string }[]
  readonly mayBeSent: boolean
}

export function StepForms({ actions, facilities, ...shown }: StepFormsProps) {
  const offered = actions.filter((action) => action !== 'reroute' || facilities.length > 0)
  if (offered.length === 0) return null
  return (
    <div class="actions">
      {offered.map((action) => (
        <StepForm key={action} action={action} facilities={facilities} {...shown} />
      ))}
    </div>
  )
}

function StepForm(props: Omit<StepFormsProps, 'actions'> & { readonly action: OfferedAction }) {
  const { id, version, action, facilities, mayBeSent } = props
  const path = `/referrals/${id}/${action}`
  if (action === 'change') return <Button href={path}>{actionWords[action]}</Button>
  if (action === 'send' || action === 'resume') {
    return (
      <form method="post" action={path}>
        <Seen version={version} />
        <Button look="primary" disabled={action === 'send' && !mayBeSent}>
          {actionWords[action]}
        </Button>
      </form>
    )
  }
  return (
    <AskedForm
      id={`step-${action}`}
      title={actionWords[action]}
      look={action === 'revoke' ? 'danger' : 'plain'}
      form={(place) => (
        <form class="form" method="post" action={path}>
          <Seen version={version} />
          {action === 'reroute' ? (
            <Select
              {...{ id: `${place}-facility`, name: 'receivingFacilityClientId', label: 'Facility' }}
              hint="It is sent at once, if the patient lets this facility see what it shares."
              options={facilities}
              required
            />
          ) : (
            <Field
              {...{ id: `${place}-reason`, name: 'reason', label: 'Reason', hint: 'The other facility reads it.' }}
              rows={3}
              maxLength={256}
            />
          )}
          <div class="actions">
            <Button look={action === 'revoke' ? 'danger' : 'primary'}>{actionWords[action]}</Button>
          </div>
        </form>
      )}
    />
  )
}

/** Nobody ends what another facility was asked meanwhile with a page that still shows the one before. */
const Seen = ({ version }: Pick<StepFormsProps, 'version'>) => <input type="hidden" name="version" value={version} />
