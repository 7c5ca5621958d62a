import { Progress, Text, VisuallyHidden } from '@mantine/core'
import type { Job } from '../../../api/jobs.ts'
import { describeStep, toPercent } from './job-labels.ts'

interface Props {
  readonly job: Job
  /** The accessible name of the progress bar. */
  readonly label: string
  /** Whether a screen reader says each new step. */
  readonly isAnnounced?: boolean
}

/** The progress of an unfinished job: a bar, and below it the step in words. */
export function JobProgress({ job, label, isAnnounced = false }: Props) {
  const step = describeStep(job)
  const percent = toPercent(job)
  const text = job.state === 'queued' ? step : `${step} · ${percent}%`
  return (
    <div>
      {/* Not the filled part, which has no width at the beginning. */}
      <Progress.Root
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={text}
      >
        <Progress.Section value={percent} withAria={false} />
      </Progress.Root>
      <Text size="sm" c="dimmed" mt={4}>
        {text}
      </Text>
      {isAnnounced ? <VisuallyHidden role="status">{step}</VisuallyHidden> : null}
    </div>
  )
}
