import type { ComponentChildren } from 'preact'

interface InsteadProps {
  /** The facility, or the clinician, whose steps they are. */
  readonly of: ComponentChildren
  readonly isThere: boolean
  /** One of them was taken, and its form was sent in vain. */
  readonly isOpen: boolean
  readonly children: ComponentChildren
}

/** Steps of the other facility: the reader may take them, and has to want to. */
export function Instead({ of, isThere, isOpen, children }: InsteadProps) {
  if (!isThere) return null
  return (
    <details class="stack tight" open={isOpen}>
      <summary>
        In place of <bdi>{of}</bdi>
      </summary>
      {children}
    </details>
  )
}
