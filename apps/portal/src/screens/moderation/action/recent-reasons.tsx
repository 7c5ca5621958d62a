import { UnstyledButton } from '@mantine/core'
import { useId } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { useReasons } from '../queries.ts'
import classes from './action-form.module.css'

interface Props {
  readonly action: string
  readonly onPick: (reason: string) => void
}

/** Recent reasons for the action, to reuse with one click. */
export function RecentReasons({ action, onPick }: Props) {
  const { id: workspaceId } = useWorkspace()
  const { data = [] } = useReasons(workspaceId, action)
  const id = useId()
  if (data.length === 0) return null
  return (
    <div className={classes.reasons}>
      <span id={id} className={classes.reasonsLabel}>
        Recent:
      </span>
      <ul aria-labelledby={id}>
        {data.map(({ reason }) => (
          <li key={reason}>
            <UnstyledButton className={classes.reason} title={reason} onClick={() => onPick(reason)}>
              <bdi>{reason}</bdi>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </div>
  )
}
