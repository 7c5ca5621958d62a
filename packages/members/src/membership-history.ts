/** What an entry of the audit log says about a member. */
export type MembershipEvent =
  | { readonly kind: 'joined'; readonly roleIds: readonly string[] }
  | { readonly kind: 'left' }
  /** All roles after a change. */
  | { readonly kind: 'roles'; readonly roleIds: readonly string[] }
  /** The roles that a change took and gave; what else the member has is not in the entry. */
  | { readonly kind: 'some_roles'; readonly removed: readonly string[]; readonly added: readonly string[] }
  /** It is not known whether a change is still applied. */
  | { readonly kind: 'uncertain' }

/** What the log says about one member, from its first entry to its last. */
export class MembershipHistory {
  /** Null if the log says nothing. */
  exists: boolean | null = null
  isUncertain = false
  /** Whether the member has a role, as far as that is known. */
  readonly #roles = new Map<string, boolean>()
  /** Whether the member has no other roles. */
  #isComplete = false

  apply(event: MembershipEvent): void {
    switch (event.kind) {
      case 'joined':
      case 'roles':
        this.exists = true
        this.#replace(event.roleIds, true)
        break
      case 'some_roles':
        this.exists = true
        for (const id of event.removed) this.#roles.set(id, false)
        for (const id of event.added) this.#roles.set(id, true)
        break
      case 'left':
        this.exists = false
        this.#replace([], true)
        break
      case 'uncertain':
        this.exists = null
        this.isUncertain = true
        this.#replace([], false)
    }
  }

  /** @param actual the roles of the member @param existing all roles of the workspace */
  allowsRoles(actual: readonly string[], existing: ReadonlySet<string>): boolean {
    const given = new Set(actual)
    for (const [id, isGiven] of this.#roles) if (existing.has(id) && given.has(id) !== isGiven) return false
    return !this.#isComplete || actual.every((id) => this.#roles.get(id) === true)
  }

  #replace(roleIds: readonly string[], isComplete: boolean): void {
    this.#roles.clear()
    for (const id of roleIds) this.#roles.set(id, true)
    this.#isComplete = isComplete
  }
}
