-- Replaced by users_search_by_period, which finds texts as well.
drop index users_search;
