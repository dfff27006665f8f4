/** The parts of Next.js that the adapter uses. Next.js is not installed here. */

declare module 'next/navigation.js' {
  export function notFound(): never;
  export function usePathname(): string;
  export function useRouter(): { push(href: string): void; replace(href: string): void; refresh(): void };
}

declare module 'next/headers.js' {
  export function cookies(): Promise<{ getAll(): { readonly name: string; readonly value: string }[] }>;
  export function headers(): Promise<Headers>;
}

declare module 'next/server.js' {
  export function connection(): Promise<void>;
  export class NextResponse extends Response {
    static next(init?: { readonly request: { readonly headers: Headers } }): NextResponse;
    static redirect(url: URL): NextResponse;
  }
}
