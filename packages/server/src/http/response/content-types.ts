export const jsonType = 'application/json; charset=utf-8';
export const textType = 'text/plain; charset=utf-8';
export const htmlType = 'text/html; charset=utf-8';
export const webpType = 'image/webp';
export const eventStreamType = 'text/event-stream; charset=utf-8';
export const jsonLinesType = 'application/x-ndjson; charset=utf-8';
