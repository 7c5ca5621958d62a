import { Skeleton, VisuallyHidden } from '@mantine/core'
import { useWorkspace } from '../../api/me.ts'
import type { ReadScreen } from '../../app/early-data.ts'
import { Card } from '../../components/card.tsx'
import { EmptyState, ErrorState } from '../../components/empty-error-loading.tsx'
import { Screen } from '../../components/screen.tsx'
import { getNow } from '../../format/clock.ts'
import { ActiveSanctionsCard } from './active-sanctions-card.tsx'
import { ActivityCard } from './activity-card.tsx'
import { DailyChartsCard } from './daily-charts-card.tsx'
import { EndpointsAlert } from './endpoints-alert.tsx'
import { EventsCard } from './events-card.tsx'
import { FirstSteps } from './first-steps.tsx'
import classes from './home.module.css'
import { InvitationsAlert } from './invitations-alert.tsx'
import { OrphanedKeysAlert } from './orphaned-keys-alert.tsx'
import { type Overview, overviewQuery, useOverview } from './overview.ts'
import { RestoredKeysAlert } from './restored-keys-alert.tsx'
import { SecondFactorAlert } from './second-factor-alert.tsx'
import { UsageCard } from './usage-card.tsx'
import { WebhooksAlert } from './webhooks-alert.tsx'

/** Reads what the screen shows first. */
export const earlyReads: { readonly Home: ReadScreen } = {
  Home: ({ client, params: { workspaceId } }) => [client.prefetchQuery(overviewQuery(workspaceId, getNow()))],
}

/** The overview of a workspace, limited to what the user may see. */
export function Home() {
  const { id, groupName } = useWorkspace()
  const { data, error, refetch } = useOverview(id)
  return (
    <Screen title="Home" heading={<bdi>{groupName}</bdi>}>
      <InvitationsAlert />
      <SecondFactorAlert />
      {data ? <OverviewContent overview={data} /> : null}
      {!data && error ? (
        <Card>
          <ErrorState error={error} retry={() => void refetch()} />
        </Card>
      ) : null}
      {data || error ? null : <Loading />}
    </Screen>
  )
}

function OverviewContent({ overview }: { readonly overview: Overview }) {
  const { inForce, done, nextEvents, usage, endpoints, webhooks, firstSteps } = overview
  const { orphanedKeys, keysToConfirm } = overview
  const isEmpty = !inForce && !done && !nextEvents && !usage && !endpoints
  // Once there is activity, it comes before the first steps.
  const isNewWorkspace = firstSteps.record !== 'true'
  const steps = <FirstSteps steps={firstSteps} />
  return (
    <>
      {Number(orphanedKeys ?? 0) > 0 ? <OrphanedKeysAlert count={Number(orphanedKeys)} /> : null}
      {endpoints && endpoints.length > 0 ? <EndpointsAlert endpoints={endpoints} /> : null}
      {Number(keysToConfirm) > 0 ? <RestoredKeysAlert count={Number(keysToConfirm)} /> : null}
      {webhooks && webhooks.length > 0 ? <WebhooksAlert webhooks={webhooks} /> : null}
      {isNewWorkspace ? steps : null}
      {isEmpty ? (
        <Card>
          <EmptyState title="Nothing to see here yet">
            You are a member of this workspace, but none of your roles grants access to anything here. Ask
            someone who manages members to give you a role.
          </EmptyState>
        </Card>
      ) : (
        <div className={classes.grid}>
          {inForce ? <ActiveSanctionsCard activeSanctions={inForce} /> : null}
          {done ? <ActivityCard activity={done} /> : null}
          {nextEvents ? <EventsCard events={nextEvents} /> : null}
          {done ? <DailyChartsCard days={done.days} /> : null}
          {usage ? <UsageCard usage={usage} /> : null}
        </div>
      )}
      {isNewWorkspace ? null : steps}
    </>
  )
}

const Loading = () => (
  <div className={classes.grid} aria-busy="true">
    <VisuallyHidden role="status">Loading…</VisuallyHidden>
    <Skeleton h={150} />
    <Skeleton h={150} />
    <Skeleton h={220} />
    <Skeleton h={320} />
    <Skeleton h={150} />
  </div>
)
