import { Button, Group, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import { count } from '../../format/number.ts'
import type { Draft } from './effect.ts'
import { outcomeOf } from './effect.ts'
import { outcomeWords } from './outcome-words.ts'
import { Review } from './review.tsx'
import type { Holding, Role } from './role-data.ts'
import classes from './save-bar.module.css'
import type { DraftTools } from './use-draft.ts'

interface Props {
  readonly roles: readonly Role[]
  readonly holdings: readonly Holding[]
  readonly draft: Draft
  readonly forget: DraftTools['forget']
}

/** Says what is not saved yet and whom it reaches, at the edge of the window, wherever the matrix is scrolled to. */
export function SaveBar({ roles, holdings, draft, forget }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const outcome = outcomeOf(roles, draft, holdings)
  const changes = [...draft.values()].reduce((sum, { gives, takes }) => sum + gives.size + takes.size, 0)
  return (
    <>
      {changes === 0 ? null : (
        <Paper component="section" withBorder shadow="md" className={classes.bar} aria-label="Not saved yet">
          <div className={classes.text} role="status">
            <Text size="sm" fw={600}>
              {count(changes, 'change')} in {count(draft.size, 'role')}, not saved yet
            </Text>
            <Text size="sm" c="dimmed">
              {outcomeWords(outcome)}
            </Text>
          </div>
          <Group gap="sm" wrap="nowrap" className={classes.buttons}>
            <Button variant="default" onClick={() => forget()}>
              Discard
            </Button>
            <Button onClick={() => setIsOpen(true)}>Review and save</Button>
          </Group>
        </Paper>
      )}
      <Review
        isOpen={isOpen}
        close={() => setIsOpen(false)}
        roles={roles}
        draft={draft}
        outcome={outcome}
        forget={forget}
      />
    </>
  )
}
