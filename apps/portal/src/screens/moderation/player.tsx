import { Button, Group, Stack, Title } from '@mantine/core'
import { IconHistoryOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { Copy } from '../../components/copy-field.tsx'
import { Screen } from '../../components/screen.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx'
import { count } from '../../format/number.ts'
import { ActDialog } from './act/act-dialog.tsx'
import { type KnownPlayer, playerQuery } from './data.ts'
import { liftingNeeds } from './deeds.ts'
import { askToLift } from './lift.tsx'
import { PlayerMark } from './marks.tsx'
import classes from './player.module.css'
import { isPlayerId } from './player-search.ts'
import { Standing } from './standing.tsx'
import { Timeline } from './timeline.tsx'
import { ViewersOnly } from './viewers-only.tsx'
import { playerName, type Verb, verbs, wordsOf } from './words.ts'

/** A player: what holds them, what was, and what can be done. */
export function Player() {
  const { userId } = useParams({ strict: false }) as { userId: string }
  const { id } = useWorkspace()
  const back = { to: `/w/${id}/moderation`, label: 'Moderation' }
  if (!isPlayerId(userId)) {
    return (
      <Screen title="No such player" back={back}>
        <EmptyState icon={IconHistoryOff} title="This can be nobody’s id">
          An id has 1 to 64 letters, digits, or characters of “_ . : -”. Look for the player by name instead.
        </EmptyState>
      </Screen>
    )
  }
  return (
    <ViewersOnly title={userId}>
      <OnePlayer key={userId} userId={userId} back={back} />
    </ViewersOnly>
  )
}

function OnePlayer(props: {
  readonly userId: string
  readonly back: { readonly to: string; readonly label: string }
}) {
  const { userId, back } = props
  const { id: workspaceId, permissions, isArchived } = useWorkspace()
  const { data: player, error, isPending, refetch } = useQuery(playerQuery(workspaceId, userId))
  const [acting, setActing] = useState<Verb | null>(null)
  const may = isArchived ? [] : verbs.filter((verb) => permissions.has(wordsOf[verb].permission))
  const userUsername = player?.userUsername ?? null
  const who = playerName({ userId, userUsername })
  const isKnown = player !== undefined

  return (
    <Screen
      title={who}
      heading={<PlayerMark userId={userId} userUsername={userUsername} />}
      actions={<Copy value={userId} label="the id" />}
      description={<Known player={player ?? null} />}
      back={back}
    >
      <Stack gap="lg">
        <section aria-label="In force now" className={classes.now}>
          {isPending ? <LoadingRows rows={1} height={64} /> : null}
          {!isKnown && error ? <ErrorState error={error} retry={() => void refetch()} /> : null}
          {isKnown ? (
            <Standing
              player={player}
              actions={(kind, held) =>
                permissions.has(liftingNeeds[kind]) && !isArchived ? (
                  <Button variant="default" onClick={() => askToLift(workspaceId, who, kind, held)}>
                    Lift the {kind}
                  </Button>
                ) : null
              }
            />
          ) : null}
          {isKnown && may.length > 0 ? (
            <Group gap="xs" mt="sm" role="group" aria-label="Act on this player">
              {may.map((verb) => (
                <ActButton key={verb} verb={verb} onClick={() => setActing(verb)} />
              ))}
            </Group>
          ) : null}
        </section>
        <section>
          <Title order={2} mb="sm">
            History
          </Title>
          <Timeline userId={userId} mayAct={may.length > 0} />
        </section>
      </Stack>
      {isKnown && may.length > 0 ? (
        <ActDialog userId={userId} known={player} action={acting} onClose={() => setActing(null)} />
      ) : null}
    </Screen>
  )
}

function ActButton({ verb, onClick }: { readonly verb: Verb; readonly onClick: () => void }) {
  const { icon: Icon, label } = wordsOf[verb]
  return (
    <Button
      variant={verb === 'ban' ? 'filled' : 'default'}
      color={verb === 'ban' ? 'red' : 'gray'}
      leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
      onClick={onClick}
    >
      {label}
    </Button>
  )
}

function Known({ player }: { readonly player: KnownPlayer | null }) {
  if (player === null) return null
  return (
    <>
      {count(player.records, 'record')}
      {player.otherNames.length > 0 ? ' · also seen as ' : null}
      {player.otherNames.map((name, at) => (
        <span key={name}>
          {at === 0 ? '' : ', '}
          <bdi>{name}</bdi>
        </span>
      ))}
    </>
  )
}
