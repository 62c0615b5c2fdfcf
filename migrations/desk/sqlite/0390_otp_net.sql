-- Codes per IPv6 site (/48): a network beside the /64 that `ip` counts.
alter table otp_send add column net text not null default '';
create index otp_send_net on otp_send (net, at);
