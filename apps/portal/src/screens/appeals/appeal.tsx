import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { CLAIM_LEASE_MINUTES } from '@reeve/core'
import { IconFileOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useCallback } from 'react'
import { isMissing } from '../../api/error.ts'
import { useHasPermission, useMe, useWorkspace } from '../../api/me.ts'
import { formatActorName } from '../../components/blanked-name.ts'
import { Card } from '../../components/card.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { Forbidden } from '../../components/forbidden.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { Screen } from '../../components/screen.tsx'
import { notifyError } from '../../components/toast.tsx'
import { useClaimRenewal } from '../../components/use-claim-renewal.ts'
import { formatPlayerName } from '../../format/player-name.ts'
import { formatDateTime, formatTimeOfDay } from '../../format/time.ts'
import { useNow } from '../../format/use-now.ts'
import { type AppealDetails, appealQuery, banStatusLabels, setClaim } from './appeal-data.ts'
import classes from './appeals.module.css'
import { DecisionForm } from './decision-form.tsx'
import { MessageForm } from './message-form.tsx'
import { StateBadge } from './state-badge.tsx'
import { Thread } from './thread.tsx'

/** An appeal: the ban, what the player and staff wrote, and the decision. */
export function AppealScreen() {
  const { id } = useParams({ strict: false }) as { id: string }
  if (useHasPermission('appeals.view')) return <AppealLoader key={id} id={id} />
  return (
    <Screen title="Appeal">
      <Forbidden permission="appeals.view" />
    </Screen>
  )
}

function AppealLoader({ id }: { readonly id: string }) {
  const { id: workspaceId } = useWorkspace()
  const { data, error, refetch } = useQuery(appealQuery(workspaceId, id))
  const back = { to: `/w/${workspaceId}/appeals`, label: 'All appeals' }
  if (data) return <AppealContent details={data} />
  return (
    <Screen title="Appeal" back={back}>
      {isMissing(error) ? (
        <EmptyState icon={IconFileOff} title="Appeal not found">
          It may belong to another workspace, or the link may be incomplete.
        </EmptyState>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingRows />
      )}
    </Screen>
  )
}

const isOpen = (state: string): boolean => state === 'submitted' || state === 'under_review'

function AppealContent({ details }: { readonly details: AppealDetails }) {
  const { id: workspaceId } = useWorkspace()
  const { appeal, answers, earlier, canDecide, isOwnBan, ownCaseNumber } = details
  return (
    <Screen
      title={`Appeal of ${appeal.userUsername ?? appeal.userId}`}
      back={{ to: `/w/${workspaceId}/appeals`, label: 'All appeals' }}
    >
      <Stack gap="md">
        <Card>
          <BanFacts details={details} />
          {isOpen(appeal.state) ? <ClaimLine details={details} /> : null}
        </Card>
        <Card title="What the player wrote">
          {answers.map(({ question, answer }) => (
            <div key={question} className={classes.answer}>
              <Text fw={600} size="sm">
                {question}
              </Text>
              <p className={classes.text}>{answer}</p>
            </div>
          ))}
          <Thread
            messages={details.messages}
            files={details.files}
            playerName={appeal.userUsername ?? appeal.userId}
          />
          <MessageForm appeal={appeal} />
        </Card>
        <DecisionForm details={details} />
        {isOpen(appeal.state) && isOwnBan === 'true' && canDecide !== 'true' ? (
          <Alert color="yellow">
            {ownCaseNumber === appeal.caseNumber
              ? 'You imposed this ban, so somebody else has to decide the appeal.'
              : `You imposed another ban of this player, case ${ownCaseNumber}, so somebody else has to decide the appeal.`}
          </Alert>
        ) : null}
        {earlier.length > 0 ? (
          <Card title="Other appeals of this ban">
            <Stack gap="xs">
              {earlier.map((other) => (
                <Group key={other.id} gap="sm">
                  <Anchor
                    renderRoot={(props) => (
                      <Link
                        {...props}
                        to="/w/$workspaceId/appeals/$id"
                        params={{ workspaceId, id: other.id }}
                      />
                    )}
                  >
                    {formatDateTime(other.submittedAt)}
                  </Anchor>
                  <StateBadge state={other.state} />
                </Group>
              ))}
            </Stack>
          </Card>
        ) : null}
      </Stack>
    </Screen>
  )
}

function BanFacts({ details: { appeal, ban } }: { readonly details: AppealDetails }) {
  const { id: workspaceId } = useWorkspace()
  return (
    <Stack gap={4}>
      <Group gap="sm">
        <StateBadge state={appeal.state} />
        <Text size="sm" c="dimmed">
          Submitted <FormattedTime value={appeal.submittedAt} />
        </Text>
      </Group>
      <Text style={{ overflowWrap: 'anywhere' }}>
        <Anchor
          underline="always"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/w/$workspaceId/moderation/players/$userId"
              params={{ workspaceId, userId: appeal.userId }}
            />
          )}
        >
          {formatPlayerName(appeal)}
        </Anchor>
        {' · '}
        {banStatusLabels[ban.status] ?? ban.status}
      </Text>
      {appeal.effect === null ? null : (
        <Text fw={600}>
          {appeal.effect}
          {appeal.decidedBy ? ` Decided by ${formatActorName(appeal.decidedBy.username)}.` : ''}
        </Text>
      )}
      <Text className={classes.text}>
        {ban.reason ?? 'The texts of this case were permanently redacted.'}
      </Text>
      {ban.publicReason !== null && ban.publicReason !== ban.reason ? (
        <Text size="sm" c="dimmed">
          The player reads: {ban.publicReason}
        </Text>
      ) : null}
      <Text size="sm">
        Banned by <bdi>{ban.actorUsername ?? 'an API key'}</bdi>, <FormattedTime value={ban.createdAt} />.{' '}
        {ban.expiresAt === null ? 'Permanent.' : `Until ${formatDateTime(ban.expiresAt)}.`}{' '}
        <Anchor
          size="sm"
          underline="always"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/w/$workspaceId/moderation/cases/$id"
              params={{ workspaceId, id: appeal.recordId }}
            />
          )}
        >
          Case {appeal.caseNumber}
        </Anchor>
      </Text>
    </Stack>
  )
}

function ClaimLine({ details: { appeal } }: { readonly details: AppealDetails }) {
  const { id: workspaceId } = useWorkspace()
  const me = useMe()
  const now = useNow()
  const renew = useCallback(() => setClaim(workspaceId, appeal.id, true), [workspaceId, appeal.id])
  const claim = appeal.claim && Date.parse(appeal.claim.expiresAt) > now ? appeal.claim : null
  const isMine = claim?.accountId === me.id
  useClaimRenewal(isMine, renew)
  const toggle = () => setClaim(workspaceId, appeal.id, !isMine).catch(notifyError)
  return (
    <Group mt="md" gap="sm">
      {claim && !isMine ? (
        <Text size="sm">
          <bdi>{claim.username}</bdi> works on it until {formatTimeOfDay(claim.expiresAt)}.
        </Text>
      ) : (
        <WriteGuard endpoint="moderation">
          <Button variant="default" onClick={() => void toggle()}>
            {isMine ? 'Release' : `Claim for ${CLAIM_LEASE_MINUTES} minutes`}
          </Button>
        </WriteGuard>
      )}
      {claim && isMine ? (
        <Text size="sm" c="dimmed">
          You work on it until {formatTimeOfDay(claim.expiresAt)}.
        </Text>
      ) : null}
    </Group>
  )
}
