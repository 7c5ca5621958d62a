import { EntryList } from './entry-list.tsx'
import { ViewersOnly } from './viewers-only.tsx'

/** Every record of a workspace. */
export const Records = () => (
  <ViewersOnly title="All records">
    <EntryList
      title="All records"
      description="Notes, warnings, kicks, mutes and bans, the newest first."
      list={{}}
      empty={{
        title: 'Nothing is recorded yet',
        text: 'Whatever is done about a player, here or by a game server through the API, is recorded as a case.',
      }}
    />
  </ViewersOnly>
)
