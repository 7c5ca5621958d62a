import { RecordList } from './record-list.tsx'
import { RequireModerationView } from './require-moderation-view.tsx'

/** Every ban that there was. */
export const BanHistory = () => (
  <RequireModerationView title="Ban history">
    <RecordList
      title="Ban history"
      description="Every ban, in force or not, the newest first."
      listFilters={{ banHistory: 'true' }}
      empty={{
        title: 'Nobody was ever banned',
        text: 'Every ban stays here, with how it ended: expired, lifted, or superseded by a newer one.',
      }}
    />
  </RequireModerationView>
)
