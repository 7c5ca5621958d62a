import { ActionIcon, Button, Text } from '@mantine/core'
import { IconStar, IconStarFilled, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { UserBadge } from '../../components/user-badge.tsx'
import { count } from '../../format/number.ts'
import classes from './departments.module.css'
import type { Person, Staff } from './staff.ts'

interface Props {
  readonly staff: Staff
  readonly takeOut: (person: Person) => void
  readonly lead: (leadId: string | null) => void
}

/** Those who are chosen, one of whom may lead. */
export function ChosenPeople({ staff: { people, leadId }, takeOut, lead }: Props) {
  const heading = useRef<HTMLParagraphElement>(null)
  return (
    <div>
      <Text size="sm" fw={600} ref={heading} tabIndex={-1}>
        {people.length === 0 ? 'Nobody is in it' : count(people.length, 'person', 'people')}
      </Text>
      <ul className={classes.chosen}>
        {people.map((person) => {
          const isLead = person.accountId === leadId
          return (
            <li key={person.accountId}>
              <UserBadge name={person.username} />
              <Button
                size="compact-sm"
                h={36}
                variant={isLead ? 'light' : 'subtle'}
                color={isLead ? 'green' : 'gray'}
                aria-label={`Lead: ${person.username}`}
                aria-pressed={isLead}
                leftSection={
                  isLead ? <IconStarFilled size={14} aria-hidden /> : <IconStar size={14} aria-hidden />
                }
                onClick={() => lead(isLead ? null : person.accountId)}
              >
                Lead
              </Button>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={`Take ${person.username} out`}
                onClick={() => {
                  takeOut(person)
                  // What was pressed is gone: the focus would be lost with it.
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
