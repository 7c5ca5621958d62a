import { RecordList } from './record-list.tsx'
import { RequireModerationView } from './require-moderation-view.tsx'

/** The bans in force. */
export const ActiveBans = () => (
  <RequireModerationView title="Active bans">
    <RecordList
      title="Active bans"
      description="Players who are banned now, newest ban first."
      listFilters={{ banList: 'true' }}
      empty={{
        title: 'No active bans',
        text: 'A ban is listed here until it expires or is lifted. To ban a player, find them under Players.',
      }}
    />
  </RequireModerationView>
)

/** Every ban, in force or not. */
export const BanHistory = () => (
  <RequireModerationView title="Ban history">
    <RecordList
      title="Ban history"
      description="Every ban, active or ended, newest first."
      listFilters={{ banHistory: 'true' }}
      empty={{
        title: 'No bans yet',
        text: 'Every ban is listed here with its outcome: expired, lifted, or superseded by a newer ban.',
      }}
    />
  </RequireModerationView>
)

/** Every record of a workspace. */
export const AllRecords = () => (
  <RequireModerationView title="All cases">
    <RecordList
      title="All cases"
      description="Notes, warnings, kicks, mutes and bans, newest first."
      listFilters={{}}
      empty={{
        title: 'No cases yet',
        text: 'Every moderation action, taken here or by a game server through the API, is recorded as a case.',
      }}
    />
  </RequireModerationView>
)
