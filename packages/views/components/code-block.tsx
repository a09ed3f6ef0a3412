/** Text for machines, exactly as it is: a message, a request, a resource. The keyboard can scroll it. */
export function CodeBlock({ label, code }: { readonly label: string; readonly code: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus (WCAG 2.1.1)
    <section class="code-block" aria-label={label} tabIndex={0}>
      <pre>
        <code dir="ltr">{code}</code>
      </pre>
    </section>
  )
}
