import { useWording } from '../use-wording.ts'

interface ProgressProps {
  readonly label: string
  /** Left out while nobody knows how much there is. */
  readonly done?: number
  readonly total?: number
  readonly unit?: string
}

export function Progress({ label, done, total, unit }: ProgressProps) {
  const wording = useWording()
  const known = done !== undefined && total !== undefined
  const count = (value: number) => value.toLocaleString(wording.locale)
  const words = known ? `${wording.done(count(done), count(total))} ${unit ?? ''}` : wording.working
  return (
    <div class="progress">
      <p>
        <span>{label}</span> <span class="progress-words">{words}</span>
      </p>
      <progress aria-label={label} value={known ? done : undefined} max={known ? Math.max(total, 1) : undefined} />
    </div>
  )
}
