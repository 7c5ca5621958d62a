import { Skeleton, VisuallyHidden } from '@mantine/core'
import { useWorkspace } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { EmptyState, ErrorState } from '../../components/empty-error-loading.tsx'
import { Screen } from '../../components/screen.tsx'
import { ActiveSanctionsCard } from './active-sanctions-card.tsx'
import { ActivityCard } from './activity-card.tsx'
import { EndpointsAlert } from './endpoints-alert.tsx'
import { EventsCard } from './events-card.tsx'
import { FirstSteps } from './first-steps.tsx'
import classes from './home.module.css'
import { type Overview, useOverview } from './overview.ts'
import { UsageCard } from './usage-card.tsx'

/** How things stand in a workspace, as far as the reader may know. */
export function Home() {
  const { id, groupName } = useWorkspace()
  const { data, error, refetch } = useOverview(id)
  return (
    <Screen title="Home" heading={<bdi>{groupName}</bdi>}>
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
  const { inForce, done, nextEvents, usage, endpoints, firstSteps } = overview
  const isEmpty = !inForce && !done && !nextEvents && !usage && !endpoints
  // What is going on comes first as soon as anything is.
  const isNewWorkspace = firstSteps.record !== 'true'
  const steps = <FirstSteps steps={firstSteps} />
  return (
    <>
      {endpoints && endpoints.length > 0 ? <EndpointsAlert endpoints={endpoints} /> : null}
      {isNewWorkspace ? steps : null}
      {isEmpty ? (
        <Card>
          <EmptyState title="Nothing here is for you yet">
            You belong to this workspace, but no role of yours shows you anything of it. Whoever manages its
            members can give you one.
          </EmptyState>
        </Card>
      ) : (
        <div className={classes.grid}>
          {inForce ? <ActiveSanctionsCard activeSanctions={inForce} /> : null}
          {done ? <ActivityCard activity={done} /> : null}
          {nextEvents ? <EventsCard events={nextEvents} /> : null}
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
    <Skeleton h={150} />
  </div>
)
