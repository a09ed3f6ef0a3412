/** Whoever does not find a patient in a list must not believe that there is none. */
export const MoreThanShown = ({ shown }: { readonly shown: number }) => (
  <p class="pagination">
    There are more than these {shown}. Add a name, a birth date such as 1988-07-09 or a number to find the right one.
  </p>
)
