import { LISTS, PROVIDER_CALLBACK, SETTINGS, SHELL } from '../src/paths.ts'

/** A file that Bun wrote with `splitting`, and what the build knows about it. */
export interface Part {
  /** Its file name. */
  readonly name: string
  /** The source file that it was split off for, relative to `src`; null for code that several parts share. */
  readonly entry: string | null
  /** The parts that it imports statically. */
  readonly imports: readonly string[]
}

/** The bundle with what every screen needs. */
export const MAIN = 'main'
/** The bundle of the sign-in screen. */
const SIGN_IN = 'sign-in'
/** The bundle with what the screens of several bundles share. */
const SHARED = 'shared'
/** The screens that are opened less often than the home page, players and cases, but for the audit log, reasons and roles. */
const MANAGEMENT = [
  'account',
  'appeals',
  'batches',
  'configuration',
  'departments',
  'erasures',
  'events',
  'first-run',
  'import',
  'inbox',
  'insights',
  'invitation',
  'operator',
  'people',
  PROVIDER_CALLBACK,
  SETTINGS,
  'workspaces',
]
/** What only some screens share is in one of these bundles: the first that has all of them. */
const SHARED_BY_FEW: Readonly<Record<string, readonly string[]>> = {
  sortable: ['departments', 'reasons', 'roles'],
  cases: ['audit', 'batches', LISTS, 'moderation', 'reasons'],
  management: MANAGEMENT,
  // The audit log, reasons and roles load the most and send the most requests: they need only some of what the others share.
  administration: [...MANAGEMENT, 'audit', 'reasons', 'roles'],
  forms: [
    'account',
    'configuration',
    'first-run',
    'invitation',
    PROVIDER_CALLBACK,
    SETTINGS,
    SIGN_IN,
    'workspaces',
  ],
}
/** Ends the name of a bundle that is loaded on demand, such as that of a dialog. */
const DEFERRED = '-deferred'

/**
 * What has a bundle of its own among those that are loaded on demand: a toast says that another one could not be loaded, and passkeys
 * are used on the sign-in screen, which needs nothing else of them.
 */
const DEFERRED_ALONE: Readonly<Record<string, string>> = {
  'components/toast-stack.tsx': 'toasts',
  'passkeys/ceremonies.ts': 'passkeys',
}

/** The folders of screens whose screens are in the shell's bundle. All others have their own. */
const SHELL_FOLDERS: ReadonlySet<string> = new Set(['not-found'])

/** The screens whose bundle does not have the name of their folder. */
const SCREEN_BUNDLES: Readonly<Record<string, string>> = {
  'screens/moderation/record-lists.tsx': LISTS,
  'screens/sign-in/provider-callback.tsx': PROVIDER_CALLBACK,
  'screens/configuration/appeals.tsx': SETTINGS,
  'screens/configuration/workspace.tsx': SETTINGS,
  'screens/retention/retention.tsx': SETTINGS,
}

/** The bundle of a source file that is imported dynamically. @param isScreen whether the router imports it */
function chooseBundle(entry: string, isScreen: boolean): string {
  const [top = '', folder = ''] = entry.split('/')
  const name = DEFERRED_ALONE[entry] ?? (top !== 'screens' || SHELL_FOLDERS.has(folder) ? SHELL : folder)
  return isScreen ? (SCREEN_BUNDLES[entry] ?? name) : `${name}${DEFERRED}`
}

/**
 * Merges parts into few bundles, because each file costs a request: one bundle per folder of screens, one for what several of
 * them share, and one per folder for what its screens import on demand.
 * @param screens the entries that the router imports
 * @returns the bundle of each part by its name
 */
export function assignBundles(
  parts: readonly Part[],
  screens: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const partsByName = new Map(parts.map((part) => [part.name, part]))
  const listReachable = (name: string, found = new Set<string>()): ReadonlySet<string> => {
    if (found.has(name)) return found
    found.add(name)
    for (const imported of partsByName.get(name)?.imports ?? []) listReachable(imported, found)
    return found
  }
  const users = new Map<string, Set<string>>()
  for (const { name, entry } of parts) {
    if (entry === null) continue
    const bundle = entry === 'main.tsx' ? MAIN : chooseBundle(entry, screens.has(entry))
    for (const reached of listReachable(name))
      users.set(reached, (users.get(reached) ?? new Set()).add(bundle))
  }
  return new Map([...users].map(([name, bundles]) => [name, chooseOwner(bundles)]))
}

/** The bundle of a part that these bundles need. What is on demand elsewhere is in the bundle of the one screen that needs it at once. */
function chooseOwner(bundles: ReadonlySet<string>): string {
  // What both need would otherwise load the shell with the sign-in screen.
  if (bundles.has(SHELL) && bundles.has(SIGN_IN)) return MAIN
  for (const always of [MAIN, SHELL]) if (bundles.has(always)) return always
  const ofScreens = [...bundles].filter((name) => !name.endsWith(DEFERRED))
  const candidates = ofScreens.length > 0 ? ofScreens : [...bundles]
  const [only = SHARED] = candidates
  if (candidates.length === 1) return only
  const few = Object.entries(SHARED_BY_FEW).find(([, members]) =>
    candidates.every((name) => members.includes(name)),
  )
  if (few) return few[0]
  if (bundles.has(SIGN_IN)) return MAIN
  return ofScreens.length > 0 ? SHARED : `${SHARED}${DEFERRED}`
}
