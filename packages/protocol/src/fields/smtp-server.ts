import * as z from 'zod';
import { domainMaxLength, smtpNameMaxLength, smtpPasswordMaxLength } from '../limits.ts';
import { email } from './fields.ts';

/** The mail server of a project, and the sender of its emails. */
export const smtpServer = z.strictObject({
  host: z.string().max(domainMaxLength).meta({ example: 'smtp.example.com' }),
  port: z.number().min(0).max(65_535),
  username: z.string().max(smtpNameMaxLength),
  password: z
    .string()
    .refine(value => value.length <= smtpPasswordMaxLength, `must be at most ${smtpPasswordMaxLength} characters`)
    .meta({ format: 'password', maxLength: smtpPasswordMaxLength }),
  sender_name: z.string().max(smtpNameMaxLength),
  sender_email: email,
});
