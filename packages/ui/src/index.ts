/** Icons, from here only: the package that draws them stays inside this one. */
export { CircleUserRound, LogIn, LogOut, RotateCw, SunMoon, UserRoundPlus } from 'lucide-react';
export { Avatar, type AvatarProps } from './avatar.tsx';
export { Button, type ButtonProps } from './button.tsx';
export { type ButtonSize, type ButtonVariant, buttonClass } from './button-class.ts';
export { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from './card.tsx';
export { classNames } from './class-names.ts';
export {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuGroup,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from './dropdown-menu.tsx';
export { Field, type FieldProps } from './field.tsx';
export { type FieldControl, useFieldControl } from './field-context.ts';
export { type FormProblem, FormSummary, type FormSummaryProps } from './form-summary.tsx';
export { initialsOf } from './initials.ts';
export { Input, type InputProps } from './input.tsx';
export { MessageCard, type MessageCardProps } from './message-card.tsx';
export { Page, type PageProps } from './page.tsx';
export { PasswordInput, type PasswordInputProps } from './password-input.tsx';
export { PasswordStrength, type PasswordStrengthProps } from './password-strength.tsx';
export { Separator } from './separator.tsx';
export { Skeleton } from './skeleton.tsx';
export { Spinner, type SpinnerProps } from './spinner.tsx';
export { type PasswordLevel, passwordStrength } from './strength.ts';
export { type Theme, type ThemeColors, themeToCss } from './theme.ts';
export { ThemeProvider, type ThemeProviderProps } from './theme-provider.tsx';
export { ThemeRoot, type ThemeRootProps } from './theme-root.tsx';
export { variants } from './variants.ts';
