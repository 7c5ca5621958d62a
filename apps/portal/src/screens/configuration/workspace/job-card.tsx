import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { DAY_MS } from '@reeve/core'
import { IconCheck, IconExclamationMark } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { isUnfinished, type Job, jobsQuery } from '../../../api/jobs.ts'
import { useMe, useWorkspace } from '../../../api/me.ts'
import { createStore } from '../../../app/store.ts'
import { Card } from '../../../components/card.tsx'
import { useNow } from '../../../format/use-now.ts'
import { describeFailure, getJobLabels } from './job-labels.ts'
import { JobProgress } from './job-progress.tsx'
import { useCancelJob } from './use-cancel-job.tsx'
import { isWatched } from './watch-job.ts'

/** How long the card says how the last job ended. */
const RESULT_MS = DAY_MS

/** The job whose result was closed. */
const closedResult = createStore<string | null>(null)

/** The job of the workspace that runs, or how the last one ended. */
export function JobCard() {
  const { id } = useWorkspace()
  const { data } = useQuery(jobsQuery(id))
  const now = useNow()
  const closed = closedResult.useValue()
  const job = data?.[0]
  if (job === undefined) return null
  if (isUnfinished(job)) return <UnfinishedJob key={job.id} job={job} />
  if (job.id === closed || job.finishedAt === null || now - Date.parse(job.finishedAt) > RESULT_MS)
    return null
  if (job.state === 'failed') return <FailedJob job={job} />
  return job.kind === 'copy' && job.state === 'succeeded' ? <FinishedCopy job={job} /> : null
}

function UnfinishedJob({ job }: { readonly job: Job }) {
  const { permissions } = useWorkspace()
  const cancel = useCancelJob()
  const { title, permission } = getJobLabels(job)
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isWatched(job.id)) card.current?.scrollIntoView({ block: 'nearest' })
  }, [job.id])
  return (
    <div ref={card}>
      <Card title={title}>
        <JobProgress job={job} label={title} isAnnounced />
        {permissions.has(permission) ? (
          <Group mt="md">
            {job.canBeCancelled === 'true' ? (
              <Button
                variant="default"
                onClick={() => cancel(job)}
                aria-label={`Cancel ${getJobLabels(job).name}`}
              >
                Cancel…
              </Button>
            ) : (
              <Text size="sm">
                The workspace is being changed, so this can no longer be cancelled. It ends by itself.
              </Text>
            )}
          </Group>
        ) : null}
      </Card>
    </div>
  )
}

const FailedJob = ({ job }: { readonly job: Job }) => (
  <Result
    job={job}
    color="red"
    title={`${getJobLabels(job).title}: failed`}
    icon={<IconExclamationMark size={18} aria-hidden />}
  >
    {describeFailure(job)}
  </Result>
)

/** Only for people who belong to the new workspace. */
function FinishedCopy({ job }: { readonly job: Job }) {
  const copy = useMe().workspaces.find(({ id }) => id === job.newWorkspaceId)
  return copy ? (
    <Result
      job={job}
      color="green"
      title="The new workspace is complete"
      icon={<IconCheck size={18} aria-hidden />}
    >
      <Anchor component={Link} to={`/w/${copy.id}`} underline="always" c="inherit" inherit>
        Open <bdi>{copy.groupName}</bdi>
      </Anchor>
    </Result>
  ) : null
}

interface ResultProps {
  readonly job: Job
  readonly title: string
  readonly color: 'red' | 'green'
  readonly icon: ReactNode
  readonly children: ReactNode
}

const Result = ({ job, children, ...alert }: ResultProps) => (
  <Alert
    {...alert}
    role="status"
    withCloseButton
    closeButtonLabel="Close"
    onClose={() => closedResult.set(job.id)}
  >
    {children}
  </Alert>
)
