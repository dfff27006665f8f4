/** Loads the charts, which are most of the code of the overview. */
export const loadDayChart = () => import('./day-chart.tsx');
