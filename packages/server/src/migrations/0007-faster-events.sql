-- Each insert locked the row of its project, the same one for all of them. Deleting a project deletes its events.
alter table events drop constraint events_project_id_fkey;

create index one_time_codes_of_team on one_time_codes (project_id, (data ->> 'teamId')) where kind = 'team_invitation';
