import { EntryList } from './entry-list.tsx'
import { ViewersOnly } from './viewers-only.tsx'

/** Every ban that there was. */
export const History = () => (
  <ViewersOnly title="Ban history">
    <EntryList
      title="Ban history"
      description="Every ban, in force or not, the newest first."
      list={{ banHistory: 'true' }}
      empty={{
        title: 'Nobody was ever banned',
        text: 'Every ban stays here, with how it ended: expired, lifted, or superseded by a newer one.',
      }}
    />
  </ViewersOnly>
)
