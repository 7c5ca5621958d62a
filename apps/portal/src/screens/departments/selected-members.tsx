import { ActionIcon, Button, Text } from '@mantine/core'
import { IconStar, IconStarFilled, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { UserBadge } from '../../components/user-badge.tsx'
import { pluralize } from '../../format/number.ts'
import classes from './departments.module.css'
import type { MemberRef, MemberSelection } from './member-selection.ts'

interface Props {
  readonly selection: MemberSelection
  readonly remove: (member: MemberRef) => void
  readonly setLead: (leadId: string | null) => void
}

/** The selected members, one of whom can be the lead. */
export function SelectedMembers({ selection: { people, leadId }, remove, setLead }: Props) {
  const heading = useRef<HTMLParagraphElement>(null)
  return (
    <div>
      <Text size="sm" fw={600} ref={heading} tabIndex={-1}>
        {people.length === 0 ? 'No members' : pluralize(people.length, 'person', 'people')}
      </Text>
      <ul className={classes.selected}>
        {people.map((member) => {
          const isLead = member.accountId === leadId
          return (
            <li key={member.accountId}>
              <UserBadge name={member.username} />
              <Button
                size="compact-sm"
                h={36}
                variant={isLead ? 'light' : 'subtle'}
                color={isLead ? 'green' : 'gray'}
                aria-label={`Lead: ${member.username}`}
                aria-pressed={isLead}
                leftSection={
                  isLead ? <IconStarFilled size={14} aria-hidden /> : <IconStar size={14} aria-hidden />
                }
                onClick={() => setLead(isLead ? null : member.accountId)}
              >
                Lead
              </Button>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={`Remove ${member.username}`}
                onClick={() => {
                  remove(member)
                  // The pressed button disappears and would take the focus with it.
                  heading.current?.focus()
                }}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
