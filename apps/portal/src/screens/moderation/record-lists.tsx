import type { ReadScreen } from '../../app/early-data.ts'
import { findListQuery, type RecordListKind } from './list-kinds.ts'
import { actorNamesQuery, recordsQuery } from './queries.ts'
import { RecordList } from './record-list.tsx'
import { RequireModerationView } from './require-moderation-view.tsx'
import { savedViewsQuery } from './views/saved-views.ts'

const readList =
  (kind: RecordListKind): ReadScreen =>
  ({ client, params: { workspaceId }, search }) => {
    const query = findListQuery(kind, search)
    return [
      client.prefetchQuery(savedViewsQuery(workspaceId)),
      client.prefetchQuery(actorNamesQuery(workspaceId)),
      ...(query ? [client.prefetchInfiniteQuery(recordsQuery(workspaceId, query))] : []),
    ]
  }

/** Reads what the screens show first. */
export const earlyReads = {
  ActiveBans: readList('bans'),
  ActiveMutes: readList('mutes'),
  BanHistory: readList('history'),
  AllRecords: readList('records'),
}

/** The bans in force. */
export const ActiveBans = () => (
  <RequireModerationView title="Active bans">
    <RecordList
      kind="bans"
      description="Players who are banned now, newest ban first."
      empty={{
        title: 'No active bans',
        text: 'A ban is listed here until it expires or is lifted. To ban a player, find them under Players.',
      }}
    />
  </RequireModerationView>
)

/** The mutes in force. */
export const ActiveMutes = () => (
  <RequireModerationView title="Active mutes">
    <RecordList
      kind="mutes"
      description="Players who are muted now, newest mute first."
      empty={{
        title: 'No active mutes',
        text: 'A mute is listed here until it expires or is lifted. To mute a player, find them under Players.',
      }}
    />
  </RequireModerationView>
)

/** Every ban, in force or not. */
export const BanHistory = () => (
  <RequireModerationView title="Ban history">
    <RecordList
      kind="history"
      description="Every ban, active or ended, newest first."
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
      kind="records"
      description="Notes, warnings, kicks, mutes and bans, newest first."
      empty={{
        title: 'No cases yet',
        text: 'Every moderation action, taken here or by a game server through the API, is recorded as a case.',
      }}
    />
  </RequireModerationView>
)
