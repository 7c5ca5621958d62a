import classes from './form-alert.module.css'

/** Why a form was refused. Never taken off the page: what appears together with its words is not read out everywhere. */
export const FormAlert = ({ children }: { readonly children: string }) => (
  <p role="alert" className={classes.alert}>
    {children}
  </p>
)
