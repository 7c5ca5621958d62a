import { Button, Group, Tabs } from '@mantine/core'
import { IconPlus, IconTags } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import type { ReadScreen } from '../../app/early-data.ts'
import { oneOf } from '../../app/filter-parsers.ts'
import { EmptyState, ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { loadInPlace } from '../../components/load-in-place.tsx'
import { loadOnOpen } from '../../components/load-on-open.tsx'
import { Screen } from '../../components/screen.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useOpenFromUrl } from '../../components/use-open-from-url.ts'
import { RequireModerationView } from '../moderation/require-moderation-view.tsx'
import { type Ladder, type Template, templatesQuery } from '../moderation/templates/queries.ts'
import type { ListProps } from './list-props.ts'
import { TemplateList } from './template-list.tsx'

/** The tabs that are not shown first. */
const LadderList = loadInPlace(
  async () => (await import('./ladder-list.tsx')).LadderList,
  <LoadingRows height={120} />,
)
const ArchivedRules = loadInPlace(
  async () => (await import('./archived-rules.tsx')).ArchivedRules,
  <LoadingRows />,
)
const TemplateForm = loadOnOpen(
  async () => (await import('./template-form.tsx')).TemplateForm,
  ({ target }) => target !== null,
  ({ close }) => close(),
)
const LadderForm = loadOnOpen(
  async () => (await import('./ladder-form.tsx')).LadderForm,
  ({ target }) => target !== null,
  ({ close }) => close(),
)

/** Reads what the screen shows first. */
export const earlyReads: { readonly Reasons: ReadScreen } = {
  Reasons: ({ client, params: { workspaceId }, search }) =>
    search.tab === undefined ? [client.prefetchQuery(templatesQuery(workspaceId))] : [],
}

const TITLE = 'Reasons and ladders'

/** The reason templates and escalation ladders of a workspace. */
export const Reasons = () => (
  <RequireModerationView title={TITLE}>
    <ReasonsContent />
  </RequireModerationView>
)

const filterParsers = { tab: oneOf('ladders', 'archived') }

function ReasonsContent() {
  const canChange = useHasPermission('moderation.configure')
  const [{ tab = 'templates' }, setFilters] = useFilters(filterParsers)
  const [template, setTemplate] = useState<Template | 'new' | null>(null)
  const [ladder, setLadder] = useState<Ladder | 'new' | null>(null)
  useOpenFromUrl('moderation', {
    template: canChange ? () => setTemplate('new') : null,
    ladder: canChange ? () => setLadder('new') : null,
  })
  return (
    <Screen
      title={TITLE}
      description="The reasons that staff choose, what players read, and which punishment follows which number of cases."
      actions={
        canChange ? (
          <Group gap="xs">
            <NewButton label="New ladder" variant="default" onClick={() => setLadder('new')} />
            <NewButton label="New template" onClick={() => setTemplate('new')} />
          </Group>
        ) : null
      }
    >
      <Tabs
        value={tab}
        onChange={(next) => setFilters({ tab: next === 'ladders' || next === 'archived' ? next : undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="templates">Templates</Tabs.Tab>
          <Tabs.Tab value="ladders">Ladders</Tabs.Tab>
          <Tabs.Tab value="archived">Archived</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="templates">
          <Templates canChange={canChange} edit={setTemplate} />
        </Tabs.Panel>
        <Tabs.Panel value="ladders">
          <LadderList canChange={canChange} edit={setLadder} />
        </Tabs.Panel>
        <Tabs.Panel value="archived">
          <ArchivedRules canChange={canChange} />
        </Tabs.Panel>
      </Tabs>
      <TemplateForm target={template} close={() => setTemplate(null)} />
      <LadderForm target={ladder} close={() => setLadder(null)} />
    </Screen>
  )
}

interface NewButtonProps {
  readonly label: string
  readonly variant?: 'default'
  readonly onClick: () => void
}

const NewButton = ({ label, variant, onClick }: NewButtonProps) => (
  <WriteGuard endpoint="moderation">
    <Button {...(variant && { variant })} leftSection={<IconPlus size={16} aria-hidden />} onClick={onClick}>
      {label}
    </Button>
  </WriteGuard>
)

function Templates({ canChange, edit }: ListProps<Template>) {
  const templates = useQuery(templatesQuery(useWorkspace().id))
  if (!templates.data)
    return templates.isPending ? (
      <LoadingRows height={88} />
    ) : (
      <ErrorState error={templates.error} retry={() => void templates.refetch()} />
    )
  if (templates.data.length === 0)
    return (
      <EmptyState icon={IconTags} title="No templates yet">
        A template is a reason that staff choose with one key: what the player reads, how severe it is, and
        the ladder that decides the punishment.
        {canChange ? '' : ' Anyone who can edit reasons can create one.'}
      </EmptyState>
    )
  return <TemplateList templates={templates.data} canChange={canChange} edit={edit} />
}
