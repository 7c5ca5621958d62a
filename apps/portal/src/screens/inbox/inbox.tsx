import { Anchor, Text } from '@mantine/core'
import { INBOX_PERMISSIONS, type InboxKind } from '@reeve/core'
import { IconInbox } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import type { ReadScreen } from '../../app/early-data.ts'
import { oneOf, parseFilters } from '../../app/filter-parsers.ts'
import { useActorNames } from '../../components/actor-names.ts'
import { ClaimHolder } from '../../components/claim-holder.tsx'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { formatCount, inboxCountsQuery, markMentions } from '../../components/inbox-queries.ts'
import { MentionText } from '../../components/mention-text.tsx'
import { Screen } from '../../components/screen.tsx'
import { SmallButton } from '../../components/small-button.tsx'
import { notifyError } from '../../components/toast.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useNow } from '../../format/use-now.ts'
import { describeRequest } from '../moderation/approvals/approval-text.ts'
import classes from './inbox.module.css'
import { type InboxItem, inboxQuery } from './queries.ts'
import { type InboxSource, inboxKinds, inboxSources } from './sources.ts'

const [FIRST_KIND = 'assigned'] = inboxKinds
const filterParsers = { source: oneOf(...inboxKinds) }

/** Reads what the screen shows first. */
export const earlyReads: { readonly Inbox: ReadScreen } = {
  Inbox: ({ client, params: { workspaceId }, search }) => [
    client.prefetchQuery(inboxCountsQuery(workspaceId)),
    client.prefetchInfiniteQuery(
      inboxQuery(workspaceId, parseFilters(filterParsers, search).source ?? FIRST_KIND),
    ),
  ],
}

/** What waits for the user. */
export function Inbox() {
  const { permissions } = useWorkspace()
  const kinds = inboxKinds.filter((kind) => permissions.has(INBOX_PERMISSIONS[kind]))
  const [first] = kinds
  return (
    <Screen title="Inbox" description="What waits for you in this workspace.">
      {first === undefined ? (
        <Forbidden permission={INBOX_PERMISSIONS[FIRST_KIND]} />
      ) : (
        <InboxContent kinds={kinds} first={first} />
      )}
    </Screen>
  )
}

interface ContentProps {
  /** The kinds that the user may see. */
  readonly kinds: readonly InboxKind[]
  readonly first: InboxKind
}

function InboxContent({ kinds, first }: ContentProps) {
  const { id: workspaceId } = useWorkspace()
  const [{ source }] = useFilters(filterParsers)
  const { data: counts } = useQuery(inboxCountsQuery(workspaceId))
  const current = kinds.find((kind) => kind === source) ?? first
  return (
    <>
      <nav aria-label="Inbox" className={classes.tabs}>
        {kinds.map((kind) => (
          <Link
            key={kind}
            to="."
            search={{ source: kind }}
            className={classes.tab}
            aria-current={kind === current ? 'page' : undefined}
          >
            {inboxSources[kind].label}
            <span className={classes.count}>{formatCount(counts?.get(kind) ?? 0)}</span>
          </Link>
        ))}
      </nav>
      <Items key={current} name={current} source={inboxSources[current]} />
    </>
  )
}

function Items({ name, source }: { readonly name: string; readonly source: InboxSource }) {
  const { id: workspaceId } = useWorkspace()
  const pages = useInfiniteQuery(inboxQuery(workspaceId, name))
  const items = pages.data?.pages.flatMap((page) => page.items) ?? []
  const names = useActorNames(
    workspaceId,
    items.flatMap(({ actorId }) => actorId ?? []),
  )
  const hasUnread = source.isMarked === true && items.some(({ read }) => read === 'false')
  return (
    <section aria-label={source.label}>
      {hasUnread ? (
        <SmallButton mb="sm" onClick={() => void markMentions(workspaceId).catch(notifyError)}>
          Mark all as read
        </SmallButton>
      ) : null}
      <DataList
        pages={pages}
        label={source.label}
        rows={(page) => page.items}
        rowKey={(item) => item.id}
        empty={
          <EmptyState icon={IconInbox} title={`Nothing under “${source.label}”`}>
            {source.empty}
          </EmptyState>
        }
      >
        {(item) => (
          <Item
            item={item}
            source={source}
            actorName={item.actorId === null ? null : (names.get(item.actorId) ?? 'a former member')}
          />
        )}
      </DataList>
    </section>
  )
}

interface ItemProps {
  readonly item: InboxItem
  readonly source: InboxSource
  readonly actorName: string | null
}

function Item({ item, source, actorName }: ItemProps) {
  const { id: workspaceId } = useWorkspace()
  const now = useNow()
  const { id, recordId, caseNumber, userId, userUsername, text, at, claim, requested } = item
  const isUnread = source.isMarked === true && item.read === 'false'
  return (
    <div className={classes.item} data-unread={isUnread || undefined}>
      <div className={classes.main}>
        <Anchor component={Link} to={`/w/${workspaceId}${source.path({ id, recordId })}`} fw={600} data-tap>
          Case {caseNumber}, {userUsername === null ? null : <bdi>{userUsername}</bdi>} {userId}
        </Anchor>
        {isUnread ? <span className={classes.unread}>Unread</span> : null}
        <Text size="sm" lineClamp={3} component="div">
          {text === null ? <em>The text was redacted.</em> : <MentionText text={text} />}
        </Text>
        {requested ? <Text size="sm">{describeRequest(requested, now)}</Text> : null}
        <Text size="xs" c="dimmed" component="div">
          {actorName === null ? null : (
            <>
              {source.describe} <bdi>{actorName}</bdi>,{' '}
            </>
          )}
          <FormattedTime value={at} />
        </Text>
        <ClaimHolder claim={claim} />
      </div>
      {source.isMarked ? (
        <SmallButton
          aria-label={`Mark as ${isUnread ? 'read' : 'unread'}: case ${caseNumber}`}
          onClick={() =>
            void markMentions(workspaceId, { ids: id, read: String(isUnread) }).catch(notifyError)
          }
        >
          {isUnread ? 'Mark as read' : 'Mark as unread'}
        </SmallButton>
      ) : null}
    </div>
  )
}
