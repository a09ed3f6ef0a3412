import { Button } from '../../../packages/views/components/button.tsx'
import { PostForm } from '../../../packages/views/components/post-form.tsx'
import { Select } from '../../../packages/views/components/select.tsx'
import type { OfferedAction } from '../available-actions.ts'
import type { Referral } from '../referral.ts'
import { askedId, askedOfAction, facilityLabel, formOfAction, type WrongForm } from './asked-fields.ts'
import { AskedForm, AskedText, WithWrong } from './asked-form.tsx'
import { Instead } from './instead.tsx'
import { actionWords } from './words.ts'

interface StepFormsProps {
  /** What is sent is what was seen. */
  readonly referral: Pick<Referral, 'id' | 'version'>
  /** Only what is allowed now has a button. */
  readonly actions: readonly OfferedAction[]
  /** What is for who asked to do, and the reader may do in their place: one step away from being pressed by mistake. */
  readonly actionsInstead?: readonly OfferedAction[]
  /** Who asked. */
  readonly from: string
  /** Whom else to ask; without anybody nobody is. */
  readonly facilities: readonly { readonly value: string; readonly label: string }[]
  readonly mayBeSent: boolean
  /** What was sent in vain. */
  readonly wrong?: WrongForm | undefined
}

export function StepForms(props: StepFormsProps) {
  const { actions, actionsInstead = [], from, wrong } = props
  return (
    <>
      <Steps {...props} actions={actions} />
      <Instead
        of={from}
        isThere={actionsInstead.length > 0}
        isOpen={actionsInstead.some((action) => formOfAction(action) === wrong?.form)}
      >
        <Steps {...props} actions={actionsInstead} />
      </Instead>
    </>
  )
}

function Steps({ actions, facilities, ...shown }: StepFormsProps) {
  const offered = actions.filter((action) => action !== 'reroute' || facilities.length > 0)
  if (offered.length === 0) return null
  // What cannot be undone stands last, beside nothing that is pressed often.
  const inOrder = offered.toSorted((one, other) => Number(one === 'revoke') - Number(other === 'revoke'))
  const forms = inOrder.map((action) => ({ id: formOfAction(action), action }))
  return (
    <WithWrong
      forms={forms}
      wrong={shown.wrong}
      shown={({ action }) => <StepForm key={action} action={action} facilities={facilities} {...shown} />}
    />
  )
}

type StepFormProps = Pick<StepFormsProps, 'referral' | 'facilities' | 'mayBeSent' | 'wrong'>

function StepForm(props: StepFormProps & { readonly action: OfferedAction }) {
  const { referral, action, facilities, mayBeSent, wrong } = props
  const { id, version } = referral
  const path = `/referrals/${id}/${action}`
  const asked = askedOfAction[action]
  if (action === 'change') return <Button href={path}>{actionWords[action]}</Button>
  if (action === 'send' || action === 'resume') {
    return (
      <PostForm action={path}>
        <Seen version={version} />
        <Button look="primary" disabled={action === 'send' && !mayBeSent}>
          {actionWords[action]}
        </Button>
      </PostForm>
    )
  }
  return (
    <AskedForm
      id={formOfAction(action)}
      title={actionWords[action]}
      look={action === 'revoke' ? 'danger' : 'plain'}
      wrong={wrong}
      form={(place, sent) => (
        <PostForm class="form" action={path}>
          <Seen version={version} />
          {asked === undefined ? (
            <Select
              {...{ id: askedId(place), name: 'receivingFacilityClientId', label: facilityLabel }}
              hint="It is sent at once, if the patient lets this facility see what it shares."
              error={sent?.message}
              options={facilities}
              required
            />
          ) : (
            <AskedText asked={asked} place={place} wrong={sent} />
          )}
          <div class="actions">
            <Button look={action === 'revoke' ? 'danger' : 'primary'}>{actionWords[action]}</Button>
          </div>
        </PostForm>
      )}
    />
  )
}

/** Nobody ends what another facility was asked meanwhile with a page that still shows the one before. */
const Seen = ({ version }: Pick<Referral, 'version'>) => <input type="hidden" name="version" value={version} />
