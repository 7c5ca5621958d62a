import classes from './role-badge.module.css'

interface Props {
  readonly role: { readonly name: string; readonly color: string | null }
}

/** A role, told by its colour and its name. */
export const RoleBadge = ({ role: { name, color } }: Props) => (
  <span className={classes.badge}>
    <RoleDot color={color} />
    <bdi className={classes.name}>{name}</bdi>
  </span>
)

/** The colour of a role. It is never the only thing to tell it by. */
export const RoleDot = ({ color }: { readonly color: string | null }) => (
  <span aria-hidden className={classes.dot} style={{ backgroundColor: color ?? undefined }} />
)
