/** What can happen to an account or to the instance, in the log that belongs to no workspace. */
interface AccountActionLabel {
  readonly action: string
  /** Also the text in the security activity of the account. */
  readonly label: string
  /** The phrase between the actor and the account: `robin reset the password of sam`. */
  readonly pastTense: string
}

const createLabels = (
  resource: string,
  actions: Readonly<Record<string, readonly [label: string, pastTense: string]>>,
): readonly AccountActionLabel[] =>
  Object.entries(actions).map(([name, [label, pastTense]]) => ({
    action: `${resource}.${name}`,
    label,
    pastTense,
  }))

/** Every action in the log of the instance. */
export const accountActions: readonly AccountActionLabel[] = [
  ...createLabels('accounts', {
    sign_in: ['Signed in', 'signed in as'],
    sign_in_failed: ['Failed sign-in', 'failed to sign in as'],
    sign_out: ['Signed out', 'signed out as'],
    end_session: ['Session ended', 'ended'],
    end_sessions: ['All sessions ended', 'ended all sessions of'],
    set_password: ['Password changed', 'set the password of'],
    add_factor: ['Sign-in factor added', 'added a sign-in factor to'],
    remove_factor: ['Sign-in factor removed', 'removed a sign-in factor of'],
    reset_factors: ['Second factor reset', 'reset the second factor of'],
    rename_passkey: ['Passkey renamed', 'renamed a passkey of'],
    reject_passkey: ['Passkey rejected as a copy', 'rejected a passkey of'],
    create_recovery_codes: ['Recovery codes created', 'created recovery codes of'],
    use_recovery_code: ['Recovery code used', 'used a recovery code of'],
    link_identity: ['Identity linked', 'linked an identity to'],
    unlink_identity: ['Identity unlinked', 'unlinked an identity of'],
    create_password_link: ['Link to set a password created', 'created a link to set the password of'],
    set_email: ['E-mail address confirmed', 'confirmed the e-mail address of'],
    remove_email: ['E-mail address removed', 'removed the e-mail address of'],
    create: ['Account created', 'created the account'],
    disable: ['Account disabled', 'disabled the account'],
    enable: ['Account enabled', 'enabled the account'],
    delete: ['Account deleted', 'deleted the account'],
    make_operator: ['Operator access granted', 'granted operator access to'],
    unmake_operator: ['Operator access revoked', 'revoked operator access of'],
  }),
  ...createLabels('reports', {
    create: ['Workspace reported', 'reported'],
    resolve: ['Report resolved', 'resolved a report about'],
  }),
  ...createLabels('workspaces', {
    request_deletion: ['Deletion of a workspace requested', 'requested the deletion of'],
    undo_deletion: ['Deletion of a workspace undone', 'undid the deletion of'],
    delete: ['Workspace deleted', 'deleted everything in'],
  }),
  ...createLabels('audit', {
    key: ['Audit log keyed', 'keyed'],
    rotate_key: ['Secret key rotated', 'gave a new key to'],
  }),
]

const labelsByAction = new Map(accountActions.map((entry) => [entry.action, entry]))

/** What happened, such as `Signed in`. An unknown action is written as words: `accounts.lock_out` is `Lock out`. */
export const describeActivity = (action: string): string =>
  labelsByAction.get(action)?.label ?? toWords(action)

/** The phrase between actor and account. An unknown action is written as words. */
export const describeAccountAction = (action: string): string =>
  labelsByAction.get(action)?.pastTense ?? `${toWords(action).toLowerCase()}:`

function toWords(action: string): string {
  const words = action.slice(action.indexOf('.') + 1).replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
