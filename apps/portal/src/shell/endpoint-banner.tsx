import { Alert, Anchor } from '@mantine/core'
import type { SwitchableEndpoint } from '@reeve/core'
import { IconArchive, IconToggleLeft } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useUnfinishedJob } from '../api/jobs.ts'
import { useHasPermission, useWorkspace } from '../api/me.ts'
import { ARCHIVED, useEndpointState } from '../components/endpoint-state.tsx'
import { FormattedTime } from '../components/formatted-time.tsx'
import { endpointLabels } from '../screens/configuration/controls/endpoint-labels.ts'
import classes from './workspace-layout.module.css'

/** The endpoint that the screens below each path use. */
const endpointsByPath: Readonly<Record<string, SwitchableEndpoint>> = {
  '/moderation': 'moderation',
  '/appeals': 'moderation',
  '/batches': 'moderation',
  '/insights': 'moderation',
  '/events': 'events',
  '/departments': 'departments',
  '/configuration/appeals': 'moderation',
  '/configuration/erasures': 'moderation',
  '/configuration/import': 'moderation',
  '/configuration/reasons': 'moderation',
  '/configuration/retention': 'moderation',
  '/configuration/workspace': 'workspaces',
}

/** Says above a screen that nothing can be changed there: the workspace is archived, or its endpoint is not fully on. */
export function EndpointBanner() {
  const { id, isArchived } = useWorkspace()
  const { pathname } = useLocation()
  const screenPath = pathname.slice(`/w/${id}`.length)
  const path = Object.keys(endpointsByPath).find((prefix) => `${screenPath}/`.startsWith(`${prefix}/`))
  const endpoint = path === undefined ? undefined : endpointsByPath[path]
  return (
    <>
      {isArchived ? <ArchivedBanner showsProgress={endpoint === 'workspaces'} /> : null}
      {endpoint === undefined ? null : <RestrictionBanner endpoint={endpoint} />}
    </>
  )
}

/** What a job that keeps the workspace archived does. */
const jobTexts: Readonly<Record<string, string>> = {
  archive: 'Its archive is being written.',
  roll_back:
    'It is being rolled back to an archive, and becomes active when that is complete. Ban checks keep working.',
}

/** @param showsProgress whether the screen below shows the progress of the job */
function ArchivedBanner({ showsProgress }: { readonly showsProgress: boolean }) {
  const { id, deleteAt } = useWorkspace()
  const jobText = jobTexts[useUnfinishedJob()?.kind ?? '']
  return (
    <Alert className={classes.banner} color="yellow" icon={<IconArchive size={18} aria-hidden />}>
      {ARCHIVED}
      {deleteAt === null ? null : (
        <>
          {' '}
          It will be deleted on <FormattedTime value={deleteAt} format="dateTime" />.
        </>
      )}
      {jobText === undefined ? null : (
        <>
          {' '}
          {jobText}{' '}
          {showsProgress ? null : (
            <Anchor
              component={Link}
              to={`/w/${id}/configuration/workspace`}
              underline="always"
              c="inherit"
              inherit
            >
              See the progress
            </Anchor>
          )}
        </>
      )}
    </Alert>
  )
}

const effects = {
  read_only: 'is read-only: nothing can be changed.',
  off: 'is off: nothing can be changed, and programs cannot read it either.',
} as const

function RestrictionBanner({ endpoint }: { readonly endpoint: SwitchableEndpoint }) {
  const { id } = useWorkspace()
  const { mode, message } = useEndpointState(endpoint)
  const canView = useHasPermission('endpoint_controls.view')
  const canChange = useHasPermission('endpoint_controls.manage')
  if (mode === 'on') return null
  return (
    <Alert
      className={classes.banner}
      color="yellow"
      icon={<IconToggleLeft size={18} aria-hidden />}
      role="status"
    >
      {endpointLabels[endpoint].title} {effects[mode]}{' '}
      {message === null ? null : (
        <>
          “<bdi>{message}</bdi>”{' '}
        </>
      )}
      {canChange ? 'You can turn it on under ' : 'Anyone who can change endpoint controls can turn it on'}
      {canChange || !canView ? '' : ' under '}
      {canChange || canView ? (
        <Anchor
          component={Link}
          to={`/w/${id}/configuration/api/controls`}
          underline="always"
          c="inherit"
          inherit
        >
          Endpoint controls
        </Anchor>
      ) : null}
      .
    </Alert>
  )
}
