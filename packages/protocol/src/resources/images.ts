import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { noQuery, projectId } from '../fields/fields.ts';

/**
 * The bytes of a file. The declarations of the package would name `Uint8Array` with a type parameter, which TypeScript has only
 * since 5.7.
 */
export interface FileBytes extends Uint8Array {}

/** An extension: the files of images that were sent inside a field. */
export const imageEndpoints = {
  read: endpoint({
    method: 'GET',
    path: '/images/{project_id}/{file}',
    access: 'none',
    params: z.strictObject({
      project_id: projectId,
      file: z
        .string()
        .regex(/^[0-9a-f]{64}\.webp$/, 'must be the hash of a stored image and .webp')
        .meta({ description: 'SHA-256 of the image in hexadecimal digits, and `.webp`.' }),
    }),
    query: noQuery,
    response: z.custom<FileBytes>(value => value instanceof Uint8Array, 'must be bytes'),
    produces: 'webp',
    cacheControl: 'public, max-age=31536000, immutable',
    summary: 'Read an image that was sent as a profile image',
    tag: 'extension',
    errors: [],
  }),
};
