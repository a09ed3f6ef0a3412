import type { ComponentChildren } from 'preact'

interface LiveProps {
  /** What brings it anew; nothing when it moves no more. */
  readonly at: string | undefined
  readonly seconds: number
  readonly look?: 'live' | 'stack'
  readonly children: ComponentChildren
}

/** A part of a page that renews itself, and says so when it cannot: a figure that stands still looks like a calm day. */
export function Live({ at, seconds, look = 'live', children }: LiveProps) {
  return (
    <>
      <div class={look} data-refresh={at} data-refresh-seconds={seconds}>
        {children}
      </div>
      <output class="live-news">
        <span class="when-old">The bridge does not answer: these figures are old.</span>
        <span class="when-signed-out">
          Your session is over: these figures are old. <a href="?">Sign in</a>
        </span>
      </output>
    </>
  )
}
