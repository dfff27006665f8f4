import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('routes/home.tsx'),
  route('account', 'routes/account.tsx'),
  route('handler/*', 'routes/handler.tsx'),
] satisfies RouteConfig;
