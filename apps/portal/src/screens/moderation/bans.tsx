import { EntryList } from './entry-list.tsx'
import { ViewersOnly } from './viewers-only.tsx'

/** The bans in force. */
export const Bans = () => (
  <ViewersOnly title="Bans in force">
    <EntryList
      title="Bans in force"
      description="Who is kept out now, the newest ban first."
      list={{ banList: 'true' }}
      empty={{
        title: 'Nobody is banned',
        text: 'A ban that is in force stands here until it ends or is lifted. Find a player to ban them.',
      }}
    />
  </ViewersOnly>
)
