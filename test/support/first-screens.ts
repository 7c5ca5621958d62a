import { openScreenServers, type ScreenContext } from './screen-states.ts'

/** A screen as the first one that a browser opens. */
export interface FirstScreen {
  readonly name: string
  readonly url: string
  /** Whether nobody is signed in. */
  readonly isAnonymous: boolean
}

/** The paths of the screens of a workspace, below its path. */
const workspacePaths = {
  home: '',
  moderation: '/moderation',
  player: '/moderation/players/261',
  'active bans': '/moderation/bans',
  'active mutes': '/moderation/mutes',
  'ban history': '/moderation/history',
  'all cases': '/moderation/records',
  approvals: '/moderation/approvals',
  inbox: '/inbox',
  appeals: '/appeals',
  insights: '/insights',
  'all batches': '/batches',
  'new batch': '/batches?new=action',
  events: '/events',
  departments: '/departments',
  people: '/people',
  roles: '/roles',
  'connect your game': '/configuration/connect',
  'API keys': '/configuration/api/keys',
  'endpoint controls': '/configuration/api/controls',
  'reasons and ladders': '/configuration/reasons',
  webhooks: '/configuration/webhooks',
  'appeal settings': '/configuration/appeals',
  retention: '/configuration/retention',
  erasures: '/configuration/erasures',
  import: '/configuration/import',
  usage: '/configuration/api/usage',
  'audit log': '/audit',
  'workspace settings': '/configuration/workspace',
} as const

const otherPaths = {
  workspaces: '/workspaces',
  account: '/account',
  instance: '/operator/instance',
  accounts: '/operator/accounts',
  'all workspaces': '/operator/workspaces',
  'instance log': '/operator/audit',
  reports: '/operator/reports',
} as const

const CASE = 'case'
const WEBHOOK = 'webhook'

/** The names of all first screens. */
export const listFirstScreenNames = (): string[] => [
  'sign-in',
  ...Object.keys(workspacePaths),
  CASE,
  WEBHOOK,
  ...Object.keys(otherPaths),
]

/** The id of the newest case of the player that the moderation screens show. */
async function findCaseId({ server, owner, workspaceId }: ScreenContext): Promise<string> {
  const query = new URLSearchParams({ workspaceId, userId: '261' })
  const { body } = await server.requestOk('GET', `/api/moderation?${query}`, { session: owner.session })
  return String(body.records[0].id)
}

/** The id of the webhook with the most deliveries, which was created first. */
async function findWebhookId({ server, owner, workspaceId }: ScreenContext): Promise<string> {
  const query = new URLSearchParams({ workspaceId })
  const { body } = await server.requestOk('GET', `/api/webhooks?${query}`, { session: owner.session })
  return String(body.webhooks.at(-1).id)
}

async function listFirstScreens(context: ScreenContext): Promise<FirstScreen[]> {
  const { server, workspaceId } = context
  const create = (name: string, path: string, isAnonymous = false): FirstScreen => ({
    name,
    url: `${server.origin}${path}`,
    isAnonymous,
  })
  const ofWorkspace = {
    ...workspacePaths,
    [CASE]: `/moderation/cases/${await findCaseId(context)}`,
    [WEBHOOK]: `/configuration/webhooks/${await findWebhookId(context)}`,
  }
  return [
    create('sign-in', '/sign-in', true),
    ...Object.entries(ofWorkspace).map(([name, path]) => create(name, `/w/${workspaceId}${path}`)),
    ...Object.entries(otherPaths).map(([name, path]) => create(name, path)),
  ]
}

/** Starts a server whose workspace has data, and lists its screens. */
export async function openFirstScreens() {
  const servers = await openScreenServers()
  const { server, owner } = servers.context
  try {
    const screens = await listFirstScreens(servers.context)
    return {
      screens,
      find(name: string): FirstScreen {
        const found = screens.find((screen) => screen.name === name)
        if (!found) throw new Error(`there is no screen ${name}`)
        return found
      },
      /** The cookies of who opens a screen. */
      cookies: ({ isAnonymous }: FirstScreen) => (isAnonymous ? [] : [server.cookie(owner.session)]),
      close: servers.close,
    }
  } catch (error) {
    await servers.close()
    throw error
  }
}

export type FirstScreens = Awaited<ReturnType<typeof openFirstScreens>>
