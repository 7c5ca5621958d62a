import { mfaPolicies, workspaceCreations } from '@reeve/auth'
import { wire } from '@reeve/core'
import { defineSetting } from './setting.ts'
import { workspaceCount } from './setting-values.ts'

/** What accounts may own, and how they must sign in. */
export const accountSettings = {
  workspacesPerAccount: defineSetting({
    flag: 'workspaces-per-account',
    env: 'REEVE_WORKSPACES_PER_ACCOUNT',
    placeholder: '<number>',
    fallback: '10',
    help: 'how many workspaces an account may own, archived ones included; 0 means no limit',
    read: workspaceCount.read,
  }),
  workspaceCreation: defineSetting({
    flag: 'workspace-creation',
    env: 'REEVE_WORKSPACE_CREATION',
    values: workspaceCreations,
    placeholder: '<who>',
    fallback: 'anyone',
    help: `who may create workspaces: ${workspaceCreations.join(' or ')}`,
    read: wire.oneOf(workspaceCreations).read,
  }),
  mfa: defineSetting({
    flag: 'mfa',
    env: 'REEVE_MFA',
    values: mfaPolicies,
    placeholder: '<policy>',
    fallback: 'optional',
    help: 'whether every account needs a second factor: optional or required',
    read: wire.oneOf(mfaPolicies).read,
  }),
}
