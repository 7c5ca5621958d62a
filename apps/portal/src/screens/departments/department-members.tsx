import { Anchor, Badge, Text } from '@mantine/core'
import { useState } from 'react'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { UserBadge } from '../../components/user-badge.tsx'
import { formatNumber } from '../../format/number.ts'
import type { Department } from './department-data.ts'
import classes from './departments.module.css'

/** Members shown at first. If only one more remains, it is shown instead of “1 more”. */
const INITIAL_COUNT = 8

interface Props {
  readonly department: Department
  /** Opens the members dialog; null without permission. */
  readonly editMembers: (() => void) | null
}

/** The members of a department, the lead first. */
export function DepartmentMembers({ department: { name, members }, editMembers }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  if (members.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No members yet.{' '}
        {editMembers ? (
          <WriteGuard endpoint="departments">
            <Anchor component="button" type="button" size="sm" underline="always" onClick={editMembers}>
              Choose members
            </Anchor>
          </WriteGuard>
        ) : null}
      </Text>
    )
  }
  const visible = isOpen || members.length <= INITIAL_COUNT + 1 ? members : members.slice(0, INITIAL_COUNT)
  const hiddenCount = members.length - visible.length
  return (
    <ul className={classes.members} aria-label={`In ${name}`}>
      {visible.map(({ accountId, username, isLead }) => (
        <li key={accountId}>
          <UserBadge name={username} />
          {isLead === 'true' ? (
            <Badge size="sm" variant="light">
              Lead
            </Badge>
          ) : null}
        </li>
      ))}
      {hiddenCount > 0 ? (
        <li>
          <Anchor
            component="button"
            type="button"
            size="sm"
            underline="always"
            aria-label={`${formatNumber(hiddenCount)} more in ${name}`}
            onClick={() => setIsOpen(true)}
          >
            {formatNumber(hiddenCount)} more
          </Anchor>
        </li>
      ) : null}
    </ul>
  )
}
