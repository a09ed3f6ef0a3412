import type { ComponentProps } from 'preact'
import { useContext } from 'preact/hooks'
import { assert } from '../../faults/fault.ts'
import { OpenedByContext, openedByField } from '../opened-by.ts'

/** A form that does something in the name of its reader. It says who that is: sent by somebody else it is refused. */
export function PostForm({ children, ...form }: Omit<ComponentProps<'form'>, 'method'>) {
  const opener = useContext(OpenedByContext)
  assert(opener !== undefined, 'a form outside of a page of the workspace')
  return (
    <form method="post" {...form}>
      <input type="hidden" name={openedByField} value={opener} />
      {children}
    </form>
  )
}
