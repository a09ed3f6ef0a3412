import { Alert } from '../../../../packages/views/components/alert.tsx'
import type { ConsentRefusal } from '../../pipeline/outcome.ts'
import type { TransactionRow } from '../../store/transactions.ts'
import type { FrameModel } from '../console-frame.tsx'
import { Live } from '../overview/live.tsx'
import { messagePath } from './message-path.ts'
import { Status } from '../search/search-page.tsx'
import { messageWords } from '../state-words.ts'
import type { Retold } from './transaction-mapping.ts'
import { hasTrouble, Noticed } from './transaction-noticed.tsx'
import { Refusal } from './transaction-refusal.tsx'
import { adviceOn, withTrouble } from './transaction-words.ts'

export interface OutcomeModel extends Pick<FrameModel, 'addresses'> {
  readonly row: TransactionRow
  /** Why consent stopped it. */
  readonly refusal?: ConsentRefusal | undefined
  /** The message as it can be read today, on the page that shows all of it. */
  readonly retold?: Retold | undefined
}

/** Where a message stands and why. As long as it moves this is fetched anew, beginning with the page it was on. */
export function LiveOutcome(model: OutcomeModel) {
  const { row } = model
  if (hasEnded(row)) return <Outcome {...model} />
  return (
    <Live at={`${messagePath(row.id)}/now`} seconds={2}>
      <Outcome {...model} />
    </Live>
  )
}

/** The same for a page that was made while it moved: what else is there to be seen is there on the page that is now. */
export function OutcomeNow(model: OutcomeModel) {
  if (!hasEnded(model.row)) return <Outcome {...model} />
  return (
    <div data-refresh-over="">
      <Outcome {...model} isNews />
    </div>
  )
}

const deniedBy = (refusal: ConsentRefusal | undefined) =>
  refusal === undefined ? undefined : refusal.consentRecordId === null ? 'none' : 'a consent'

const hasEnded = ({ status }: TransactionRow): boolean => status !== 'PROCESSING' && status !== 'QUEUED'

function Outcome({ row, refusal, retold, addresses, isNews = false }: OutcomeModel & { readonly isNews?: boolean }) {
  const { status, error_code, error_message, is_stale, content_mismatch } = row
  const isTroubled = status === 'SUCCESS' && hasTrouble(row.warnings)
  const { title, todo } = isTroubled
    ? withTrouble
    : adviceOn(status, error_code, { wish: row.channel_id === 'qbp' ? 'read' : 'write', by: deniedBy(refusal) })
  return (
    <Alert
      tone={isTroubled ? 'warning' : messageWords[status].tone}
      title={
        <>
          <Status status={status} /> {title}
        </>
      }
    >
      {refusal !== undefined && <Refusal refusal={refusal} consentUrl={addresses['consent']} />}
      <p>{todo}</p>
      {isTroubled && <Noticed counts={row.warnings} places={retold?.mapped?.warnings ?? []} />}
      {error_message !== null && (
        <p class="muted">
          <code>{error_code}</code> <bdi>{error_message}</bdi>
        </p>
      )}
      {is_stale && <p>The store held something newer already, so nothing of this message was written over it.</p>}
      {content_mismatch && (
        <p>
          This control id was already used for different content, so nobody has worked on this message. Tell the sender,
          and retry it if what it says is meant.
        </p>
      )}
      {isNews && (
        <p>
          <a href={messagePath(row.id)}>Show all of it</a>
        </p>
      )}
    </Alert>
  )
}
