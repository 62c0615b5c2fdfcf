-- A form's steps look for their lead by the form's id; without this each of them read all forms.
create index form_link_form on form_link (form_id);
