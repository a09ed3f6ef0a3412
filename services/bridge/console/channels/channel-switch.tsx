import { Alert } from '../../../../packages/views/components/alert.tsx'
import { Button } from '../../../../packages/views/components/button.tsx'
import { Dialog } from '../../../../packages/views/components/dialog.tsx'
import { PostForm } from '../../../../packages/views/components/post-form.tsx'
import type { ChannelRecord } from '../../listeners/channel-control.ts'
import { channelNames } from '../state-words.ts'

interface SwitchProps {
  readonly channel: ChannelRecord
  /** Where the reader is, and comes back to. */
  readonly from: 'list' | 'one'
}

/** Pausing keeps senders waiting, so it is asked for twice; resuming does no harm. */
export function SwitchButton({ channel: { id, status, messageType }, from }: SwitchProps) {
  if (status === 'STOPPED') return <span class="under">by configuration</span>
  if (status === 'PAUSED') {
    return (
      <PostForm action={`/console/channels/${id}/resume`}>
        <input type="hidden" name="from" value={from} />
        <Button look={from === 'one' ? 'primary' : 'plain'} label={`Resume ${messageType}`}>
          Resume
        </Button>
      </PostForm>
    )
  }
  return (
    <Button opens={`pause-${id}`} label={`Pause ${messageType}`}>
      Pause
    </Button>
  )
}

/** What became of the switch, by how the channel stands now. */
export function SwitchedNotice({ channel: { status, messageType } }: Pick<SwitchProps, 'channel'>) {
  if (status === 'RUNNING') return <Alert urgent tone="good" title={`${messageType} takes messages again`} />
  if (status === 'PAUSED') {
    return (
      <Alert urgent tone="warning" title={`${messageType} is paused`}>
        Senders cannot connect until somebody resumes it.
      </Alert>
    )
  }
  return (
    <Alert urgent tone="bad" title={`${messageType} cannot listen`}>
      It is resumed, but another program may hold its port. It is tried again every two seconds.
    </Alert>
  )
}

export function PauseDialog({ channel, from }: SwitchProps) {
  const { id, messageType } = channel
  return (
    <Dialog id={`pause-${id}`} title={`Pause ${messageType} · ${channelNames[id]}?`}>
      <PauseForm channel={channel} from={from} />
    </Dialog>
  )
}

export function PauseForm({ channel: { id }, from }: SwitchProps) {
  return (
    <PostForm class="form" action={`/console/channels/${id}/pause`}>
      <p>
        The port closes. What is at work is finished and answered; senders cannot connect until you resume, and keep
        their messages meanwhile. Messages that are here already can still be retried.
      </p>
      <input type="hidden" name="from" value={from} />
      <div class="actions">
        <Button look="danger">Pause the channel</Button>
      </div>
    </PostForm>
  )
}
