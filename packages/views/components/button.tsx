import type { ComponentChildren } from 'preact'
import { classNames } from './class-names.ts'

export interface ButtonProps {
  readonly children: ComponentChildren
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger'
  /** With an address it is a link that looks like a button. */
  readonly href?: string
  readonly type?: 'submit' | 'button'
  readonly name?: string
  readonly value?: string
  readonly disabled?: boolean
  /** The id of the dialog that it opens. */
  readonly opens?: string
  readonly label?: string
  /** Pressing it only shows something: on a page with `in-place.js` that comes without a step of the browser's history. */
  readonly looks?: boolean
}

export function Button({
  children,
  look = 'plain',
  href,
  type = 'submit',
  opens,
  label,
  looks = false,
  ...rest
}: ButtonProps) {
  const className = classNames('button', look !== 'plain' && look)
  if (href !== undefined) {
    return (
      <a class={className} href={href} aria-label={label}>
        {children}
      </a>
    )
  }
  return (
    <button
      class={className}
      type={opens === undefined ? type : 'button'}
      data-opens={opens}
      data-looks={looks ? '' : undefined}
      aria-label={label}
      {...rest}
    >
      {children}
    </button>
  )
}
