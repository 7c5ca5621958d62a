import { Badge, Group, Kbd, Text, Title } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { useWorkspace } from '../../api/me.ts'
import { useEndpointState } from '../../components/endpoint-state.tsx'
import { SortableList } from '../../components/sortable-list.tsx'
import { usePendingOrder } from '../../components/use-pending-order.ts'
import { pluralize } from '../../format/number.ts'
import { SeverityBadge } from '../moderation/badges.tsx'
import { moderationKey } from '../moderation/queries.ts'
import {
  TEMPLATE_KEYS,
  type Template,
  templatesQuery,
  withLadderNames,
} from '../moderation/templates/queries.ts'
import classes from './reasons.module.css'
import { RuleMenu, RuleMenuItem } from './rule-menu.tsx'
import { useRuleActions } from './use-rule-actions.tsx'

interface Props {
  readonly templates: readonly Template[]
  readonly canChange: boolean
  readonly edit: (template: Template) => void
}

/** The templates in their order, which decides their keys. They are reordered by dragging, with keys, or from the menu. */
export function TemplateList({ templates, canChange, edit }: Props) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const { blockedReason } = useEndpointState('moderation')
  const { orderedItems, announcement, move } = usePendingOrder(templates, {
    conflict: 'someone else has added or archived a template in the meantime.',
    async save(ids) {
      const body = { workspaceId, action: 'order', ids } as const
      const response = await unwrap(api.POST('/api/moderation/templates', { body }))
      const { queryKey } = templatesQuery(workspaceId)
      await client.cancelQueries({ queryKey })
      if ('templates' in response) client.setQueryData(queryKey, withLadderNames(response))
    },
    refetch: () => void client.invalidateQueries({ queryKey: moderationKey(workspaceId) }),
  })
  const total = orderedItems.length
  return (
    <SortableList
      items={orderedItems}
      label="Templates in order"
      canMove={() => canChange && blockedReason === null && total > 1}
      move={move}
      announcement={announcement}
      listClass={classes.list}
      rowClass={classes.row}
    >
      {(template, position, handle) => (
        <TemplateRow
          template={template}
          position={position}
          total={total}
          canChange={canChange}
          handle={handle}
          edit={() => edit(template)}
          move={(to) => move(template, to)}
        />
      )}
    </SortableList>
  )
}

interface RowProps {
  readonly template: Template
  /** Its index in the list. */
  readonly position: number
  readonly total: number
  readonly canChange: boolean
  readonly edit: () => void
  readonly move: (to: number) => void
  /** Moves it in the list; null if the user cannot. */
  readonly handle: ReactNode
}

function TemplateRow({ template, position, total, canChange, handle, edit, move }: RowProps) {
  const { archive } = useRuleActions()
  const { name, publicReason, defaultSeverity, ladderName } = template
  return (
    <>
      {handle}
      <div className={classes.text}>
        <Group gap="xs" wrap="wrap" className={classes.heading}>
          {position < TEMPLATE_KEYS ? (
            <Kbd size="xs" aria-label={`Key ${position + 1}`}>
              {position + 1}
            </Kbd>
          ) : null}
          <Title order={2} className={classes.name}>
            <bdi>{name}</bdi>
          </Title>
          {defaultSeverity === null ? null : <SeverityBadge severity={defaultSeverity} />}
          <Badge variant="default" tt="none">
            {ladderName === null ? 'No ladder' : `Ladder ${ladderName}`}
          </Badge>
        </Group>
        <Text size="sm" className={classes.publicReason}>
          {publicReason}
        </Text>
        <Text size="sm" c="dimmed">
          {describeAppeal(template)}
        </Text>
      </div>
      {canChange ? (
        <RuleMenu name={name} edit={edit} archive={() => archive('template', template)}>
          <RuleMenuItem
            icon={<IconArrowUp size={16} stroke={1.7} aria-hidden />}
            onClick={() => move(position - 1)}
            isDisabled={position === 0}
          >
            Move up
          </RuleMenuItem>
          <RuleMenuItem
            icon={<IconArrowDown size={16} stroke={1.7} aria-hidden />}
            onClick={() => move(position + 1)}
            isDisabled={position === total - 1}
          >
            Move down
          </RuleMenuItem>
        </RuleMenu>
      ) : null}
    </>
  )
}

function describeAppeal({ appealable, appealAfterDays }: Template): string {
  if (appealable !== 'true') return 'Players cannot appeal.'
  return appealAfterDays === '0'
    ? 'Players can appeal.'
    : `Players can appeal after ${pluralize(appealAfterDays, 'day')}.`
}
