import { RecordList } from './record-list.tsx'
import { RequireModerationView } from './require-moderation-view.tsx'

/** The bans in force. */
export const ActiveBans = () => (
  <RequireModerationView title="Bans in force">
    <RecordList
      title="Bans in force"
      description="Who is kept out now, the newest ban first."
      listFilters={{ banList: 'true' }}
      empty={{
        title: 'Nobody is banned',
        text: 'A ban that is in force stands here until it ends or is lifted. Find a player to ban them.',
      }}
    />
  </RequireModerationView>
)
