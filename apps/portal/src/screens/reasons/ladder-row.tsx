import { Group, Text, Title } from '@mantine/core'
import { pluralize } from '../../format/number.ts'
import { formatStep } from '../moderation/templates/format-measure.ts'
import type { Ladder } from '../moderation/templates/queries.ts'
import classes from './reasons.module.css'
import { RuleMenu } from './rule-menu.tsx'
import { useRuleActions } from './use-rule-actions.tsx'

interface Props {
  readonly ladder: Ladder
  readonly canChange: boolean
  readonly edit: () => void
}

/** A ladder with its steps. */
export function LadderRow({ ladder, canChange, edit }: Props) {
  const { archive } = useRuleActions()
  const { name, windowDays, steps } = ladder
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <div className={classes.text}>
        <Title order={2} className={classes.name}>
          <bdi>{name}</bdi>
        </Title>
        <Text size="sm" c="dimmed">
          {windowDays === null ? 'Cases count forever.' : `Cases count for ${pluralize(windowDays, 'day')}.`}
        </Text>
        <ol className={classes.steps}>
          {steps.map((step, index) => (
            <li key={step.count}>{formatStep(steps, index)}</li>
          ))}
        </ol>
      </div>
      {canChange ? <RuleMenu name={name} edit={edit} archive={() => archive('ladder', ladder)} /> : null}
    </Group>
  )
}
