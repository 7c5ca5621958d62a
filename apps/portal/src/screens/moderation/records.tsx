import { RecordList } from './record-list.tsx'
import { RequireModerationView } from './require-moderation-view.tsx'

/** Every record of a workspace. */
export const AllRecords = () => (
  <RequireModerationView title="All records">
    <RecordList
      title="All records"
      description="Notes, warnings, kicks, mutes and bans, the newest first."
      listFilters={{}}
      empty={{
        title: 'Nothing is recorded yet',
        text: 'Whatever is done about a player, here or by a game server through the API, is recorded as a case.',
      }}
    />
  </RequireModerationView>
)
