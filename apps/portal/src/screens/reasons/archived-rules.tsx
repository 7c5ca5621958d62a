import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconArchive } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getErrorMessage } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { EmptyState, ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { RowList } from '../../components/row-list.tsx'
import { FormAlert } from '../../forms/form-alert.tsx'
import { laddersQuery, templatesQuery } from '../moderation/templates/queries.ts'
import classes from './reasons.module.css'
import { type RuleKind, type RuleSummary, useRuleActions } from './use-rule-actions.tsx'

interface ArchivedRule extends RuleSummary {
  readonly archivedAt: string | null
}

/** Archived ladders and templates, each with a button that restores it. Ladders first: a template needs its ladder. */
export function ArchivedRules({ canChange }: { readonly canChange: boolean }) {
  const { id } = useWorkspace()
  const ladders = useQuery(laddersQuery(id, true))
  const templates = useQuery(templatesQuery(id, true))
  const error = ladders.error ?? templates.error
  if (!ladders.data || !templates.data)
    return error ? (
      <ErrorState error={error} retry={() => void Promise.all([ladders.refetch(), templates.refetch()])} />
    ) : (
      <LoadingRows />
    )
  if (ladders.data.length + templates.data.length === 0)
    return (
      <EmptyState icon={IconArchive} title="Nothing is archived">
        Archived templates and ladders are listed here and can be restored.
      </EmptyState>
    )
  return (
    <Stack gap="lg">
      <ArchivedList kind="ladder" title="Ladders" rules={ladders.data} canChange={canChange} />
      <ArchivedList kind="template" title="Templates" rules={templates.data} canChange={canChange} />
    </Stack>
  )
}

interface ListProps {
  readonly kind: RuleKind
  readonly title: string
  readonly rules: readonly ArchivedRule[]
  readonly canChange: boolean
}

const ArchivedList = ({ kind, title, rules, canChange }: ListProps) =>
  rules.length === 0 ? null : (
    <section>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      <RowList label={`Archived ${kind}s`} rows={rules} rowKey={({ id }) => id}>
        {(rule) => <ArchivedRow kind={kind} rule={rule} canChange={canChange} />}
      </RowList>
    </section>
  )

function ArchivedRow({
  kind,
  rule,
  canChange,
}: Omit<ListProps, 'title' | 'rules'> & { readonly rule: ArchivedRule }) {
  const { restore } = useRuleActions()
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  const restoreRule = async () => {
    setIsBusy(true)
    setAlert('')
    await restore(kind, rule).catch((error) => setAlert(getErrorMessage(error)))
    setIsBusy(false)
  }
  return (
    <>
      <Group gap="sm" wrap="nowrap">
        <div className={classes.text}>
          <Text component="div" fw={600}>
            <bdi>{rule.name}</bdi>
          </Text>
          {rule.archivedAt === null ? null : (
            <Text size="sm" c="dimmed">
              Archived <FormattedTime value={rule.archivedAt} />
            </Text>
          )}
        </div>
        {canChange ? (
          <WriteGuard endpoint="moderation">
            <Button
              variant="default"
              loading={isBusy}
              onClick={() => void restoreRule()}
              aria-label={`Restore ${rule.name}`}
            >
              Restore
            </Button>
          </WriteGuard>
        ) : null}
      </Group>
      <FormAlert>{alert}</FormAlert>
    </>
  )
}
