import { Alert } from '../../../packages/views/components/alert.tsx'

/** What the script puts above the list while a search takes long, and when it did not work. */
export function SearchStates() {
  return (
    <>
      <template id="search-slow">
        <Alert urgent title="Still searching">
          The FHIR server takes its time. Until it answers, the list stays as it was.
        </Alert>
      </template>
      <template id="search-failed">
        <Alert tone="bad" urgent title="The search did not work">
          The list is as it was before. Check your connection, then press Enter to try again.
        </Alert>
      </template>
    </>
  )
}
