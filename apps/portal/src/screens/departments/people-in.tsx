import { Anchor, Badge, Text } from '@mantine/core'
import { useState } from 'react'
import { UserBadge } from '../../components/user-badge.tsx'
import { number } from '../../format/number.ts'
import type { Department } from './department-data.ts'
import classes from './departments.module.css'

/** As many are shown at first; one more than these is shown, too, rather than counted. */
const SHOWN = 8

interface Props {
  readonly department: Department
  /** Leads to choosing who is in it; null for whoever may not. */
  readonly choose: (() => void) | null
}

/** Who is in a department, whoever leads it first. */
export function PeopleIn({ department: { name, members }, choose }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  if (members.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        Nobody is in it yet.{' '}
        {choose ? (
          <Anchor component="button" type="button" size="sm" underline="always" onClick={choose}>
            Choose its members
          </Anchor>
        ) : null}
      </Text>
    )
  }
  const shown = isOpen || members.length <= SHOWN + 1 ? members : members.slice(0, SHOWN)
  const hidden = members.length - shown.length
  return (
    <ul className={classes.people} aria-label={`In ${name}`}>
      {shown.map(({ accountId, username, isLead }) => (
        <li key={accountId}>
          <UserBadge name={username} />
          {isLead === 'true' ? (
            <Badge size="sm" variant="light">
              Lead
            </Badge>
          ) : null}
        </li>
      ))}
      {hidden > 0 ? (
        <li>
          <Anchor
            component="button"
            type="button"
            size="sm"
            underline="always"
            aria-label={`${number(hidden)} more in ${name}`}
            onClick={() => setIsOpen(true)}
          >
            {number(hidden)} more
          </Anchor>
        </li>
      ) : null}
    </ul>
  )
}
