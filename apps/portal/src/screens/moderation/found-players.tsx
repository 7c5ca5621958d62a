import { Text } from '@mantine/core'
import { IconChevronRight, IconUserPlus, IconUserSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { KeyboardEvent, ReactNode } from 'react'
import { useWorkspace } from '../../api/me.ts'
import type { ListPage, Pages } from '../../api/pages.ts'
import { DataList, MoreRows } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/states.tsx'
import { count } from '../../format/number.ts'
import type { KnownPlayer } from './data.ts'
import classes from './found-players.module.css'
import { PlayerMark } from './marks.tsx'
import { isPlayerId } from './player-search.ts'
import { StandingLine } from './standing.tsx'
import { isolated } from './words.ts'

interface Props {
  readonly q: string
  readonly pages: Pages<ListPage & { readonly players: readonly KnownPlayer[] }>
}

const LIST = 'Players found'
const FOUND = '[data-found]'

const found = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(FOUND)]

/** Goes to the first that was found. @returns whether there is one */
export function focusFound(): boolean {
  const [first] = found()
  first?.focus()
  return first !== undefined
}

/** Up and down the list, and from its head back to the box. */
function step(event: KeyboardEvent): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const rows = found()
  const at = rows.indexOf(document.activeElement as HTMLElement)
  if (by === 0 || at < 0) return
  event.preventDefault()
  const next =
    rows[at + by] ?? (by < 0 ? document.querySelector<HTMLElement>('main [data-player-search]') : null)
  next?.focus()
}

/** Who was found, each with what has to be known before they are taken for the right one. */
export function FoundPlayers({ q, pages }: Props) {
  const players = pages.data?.pages.flatMap((page) => page.players) ?? []
  const isKnown = players.some(({ userId }) => userId === q)
  // Where a name has found somebody, a word without a digit was hardly meant as an id that nobody has heard of.
  const mayBeId = isPlayerId(q) && (players.length === 0 || /\d/.test(q))
  const unknown = !pages.isPending && !pages.isError && !isKnown && mayBeId ? q : null
  if (players.length === 0 && unknown === null) {
    return (
      <DataList
        pages={pages}
        label={LIST}
        rows={(page) => page.players}
        rowKey={({ userId }) => userId}
        empty={
          <EmptyState icon={IconUserSearch} title={`Nobody found for “${isolated(q)}”`}>
            A player is found by the beginning of their id or of a name that a record tells. Somebody without
            records is reached by their whole id.
          </EmptyState>
        }
      >
        {() => null}
      </DataList>
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move among the links in it, which work without them
    <div onKeyDown={step}>
      <ul className={classes.list} aria-label={LIST}>
        {players.map((player) => (
          <li key={player.userId}>
            <FoundPlayer player={player} />
          </li>
        ))}
        {unknown === null ? null : (
          <li>
            <Row userId={unknown}>
              <span className={classes.who}>
                <IconUserPlus size={18} stroke={1.7} aria-hidden />
                <span>
                  Go to the player with the id <code>{unknown}</code>
                </span>
              </span>
              <Text component="span" size="sm" c="dimmed">
                No records yet
              </Text>
            </Row>
          </li>
        )}
      </ul>
      <MoreRows pages={pages} label={LIST} />
    </div>
  )
}

const FoundPlayer = ({ player }: { readonly player: KnownPlayer }) => (
  <Row userId={player.userId}>
    <span>
      <PlayerMark userId={player.userId} userUsername={player.userUsername} />
      {player.otherNames.length > 0 ? (
        <Text component="span" size="xs" c="dimmed" className={classes.names}>
          Also seen as{' '}
          {player.otherNames.map((name, at) => (
            <span key={name}>
              {at === 0 ? '' : ', '}
              <bdi>{name}</bdi>
            </span>
          ))}
        </Text>
      ) : null}
    </span>
    <span className={classes.standing}>
      <StandingLine ban={player.ban} mute={player.mute} />
      <Text component="span" size="xs" c="dimmed" className={classes.names}>
        {count(player.records, 'record')}
      </Text>
    </span>
  </Row>
)

function Row({ userId, children }: { readonly userId: string; readonly children: ReactNode }) {
  const { id: workspaceId } = useWorkspace()
  return (
    <Link
      to="/w/$workspaceId/moderation/players/$userId"
      params={{ workspaceId, userId }}
      className={classes.row}
      data-found
    >
      <span className={classes.text}>{children}</span>
      <IconChevronRight size={18} stroke={1.7} aria-hidden className={classes.chevron} />
    </Link>
  )
}
