import { useWording } from '../use-wording.ts'
import { Alert } from './alert.tsx'

/** Above a page that is shown all the same. */
export function NamesAway() {
  const { text } = useWording()
  return (
    <Alert tone="warning" title={text('namesAwayTitle')}>
      {text('namesAway')}
    </Alert>
  )
}
