import { Button, Group, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import { pluralize } from '../../format/number.ts'
import { formatImpact } from './format-impact.ts'
import type { Draft } from './permission-diff.ts'
import { computeImpact } from './permission-diff.ts'
import type { Role, RoleCombination } from './queries.ts'
import { ReviewDialog } from './review-dialog.tsx'
import classes from './save-bar.module.css'
import type { DraftActions } from './use-draft.ts'

interface Props {
  readonly roles: readonly Role[]
  readonly roleCombinations: readonly RoleCombination[]
  readonly draft: Draft
  readonly discard: DraftActions['discard']
}

/** A sticky bar with the unsaved changes and their impact. */
export function SaveBar({ roles, roleCombinations, draft, discard }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const impact = computeImpact(roles, draft, roleCombinations)
  const changes = [...draft.values()].reduce(
    (sum, { granted, revoked }) => sum + granted.size + revoked.size,
    0,
  )
  return (
    <>
      {changes === 0 ? null : (
        <Paper
          component="section"
          withBorder
          shadow="md"
          className={classes.bar}
          aria-label="Unsaved changes"
        >
          <div className={classes.text} role="status">
            <Text size="sm" fw={600}>
              {pluralize(changes, 'unsaved change')} in {pluralize(draft.size, 'role')}
            </Text>
            <Text size="sm" c="dimmed">
              {formatImpact(impact)}
            </Text>
          </div>
          <Group gap="sm" wrap="nowrap" className={classes.buttons}>
            <Button variant="default" onClick={() => discard()}>
              Discard
            </Button>
            <Button onClick={() => setIsOpen(true)}>Review and save</Button>
          </Group>
        </Paper>
      )}
      <ReviewDialog
        isOpen={isOpen}
        close={() => setIsOpen(false)}
        roles={roles}
        roleCombinations={roleCombinations}
        draft={draft}
        impact={impact}
        discard={discard}
      />
    </>
  )
}
