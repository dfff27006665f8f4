import type { Json } from '@tessera/protocol';

/**
 * The types of your project. Declare them once, and metadata, permission ids, provider ids and scopes of API keys have them everywhere. They
 * are not checked at run time: the server stores any JSON.
 *
 * @example
 * declare module '@tessera/client' {
 *   interface Register {
 *     clientMetadata: { readonly theme?: 'light' | 'dark' } | null;
 *     permissions: 'invoices:read' | 'invoices:write';
 *     providers: 'github' | 'google';
 *     apiKeyScopes: 'read' | 'write';
 *   }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: apps add the members by declaration merging
export interface Register {}

type Registered<Name extends string, Default> = Register extends { readonly [Key in Name]: infer Type }
  ? Type
  : Default;

/** Metadata of a user that the user can change. */
export type ClientMetadata = Registered<'clientMetadata', Json>;
/** Metadata of a user that only servers can change, and the user can read. */
export type ClientReadOnlyMetadata = Registered<'clientReadOnlyMetadata', Json>;
/** Metadata of a user for servers only. */
export type ServerMetadata = Registered<'serverMetadata', Json>;
/** Metadata of a team that its members can change. */
export type TeamClientMetadata = Registered<'teamClientMetadata', Json>;
/** Metadata of a team that only servers can change, and its members can read. */
export type TeamClientReadOnlyMetadata = Registered<'teamClientReadOnlyMetadata', Json>;
/** Metadata of a team for servers only. */
export type TeamServerMetadata = Registered<'teamServerMetadata', Json>;
/** Id of a permission of the project. */
export type PermissionId = Registered<'permissions', string>;
/** Id of a provider of the project. */
export type ProviderName = Registered<'providers', string>;
/** A scope of an API key of the project. */
export type ApiKeyScope = Registered<'apiKeyScopes', string>;
