import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { ColorField } from '../../components/color-field.tsx'
import type { Actor } from './can-manage.ts'
import type { Role } from './queries.ts'
import { describeRank } from './rank-description.ts'

/** The fields that a new and an existing role share. */
export type RoleDetails = Record<'name' | 'color' | 'rank', string>

export const detailLabels: Readonly<Record<keyof RoleDetails, string>> = {
  name: 'Name',
  color: 'Color',
  rank: 'Rank',
}

interface Props {
  readonly form: UseFormReturnType<RoleDetails>
  /** The rank as typed. */
  readonly rank: string
  /** The other roles, which a sentence compares the rank with. */
  readonly others: readonly Role[]
  readonly actor: Actor
  /** Whether the name gets the focus when the form opens. */
  readonly isNameFocused?: boolean
}

/** Name, rank and color of a role. */
export const RoleDetailsFields = ({ form, rank, others, actor, isNameFocused = false }: Props) => (
  <>
    <TextInput
      label={detailLabels.name}
      name="name"
      autoComplete="off"
      maxLength={100}
      data-autofocus={isNameFocused || undefined}
      key={form.key('name')}
      {...form.getInputProps('name')}
    />
    <TextInput
      label={detailLabels.rank}
      description={describeRank(rank, others, actor)}
      name="rank"
      inputMode="numeric"
      autoComplete="off"
      key={form.key('rank')}
      {...form.getInputProps('rank')}
    />
    <ColorField
      label={detailLabels.color}
      name="color"
      key={form.key('color')}
      {...form.getInputProps('color')}
    />
  </>
)
