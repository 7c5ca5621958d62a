import { Button } from '@mantine/core'
import { useState } from 'react'
import { loadOnOpen } from '../../components/load-on-open.tsx'
import { pluralize } from '../../format/number.ts'
import { formatImpact } from './format-impact.ts'
import type { Draft } from './permission-diff.ts'
import { computeImpact } from './permission-diff.ts'
import type { Role, RoleCombination } from './queries.ts'
import { UnsavedBar } from './unsaved-bar.tsx'
import type { DraftActions } from './use-draft.ts'

const ReviewDialog = loadOnOpen(
  async () => (await import('./review-dialog.tsx')).ReviewDialog,
  ({ isOpen }) => isOpen,
  ({ close }) => close(),
)

interface Props {
  readonly roles: readonly Role[]
  readonly roleCombinations: readonly RoleCombination[]
  readonly draft: Draft
  readonly discard: DraftActions['discard']
}

/** The unsaved changes of permissions and their impact. */
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
        <UnsavedBar
          label="Unsaved changes"
          title={`${pluralize(changes, 'unsaved change')} in ${pluralize(draft.size, 'role')}`}
          discard={discard}
          saveButton={<Button onClick={() => setIsOpen(true)}>Review and save</Button>}
        >
          {formatImpact(impact)}
        </UnsavedBar>
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
