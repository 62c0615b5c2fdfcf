-- A whole batch in one question, which commits by itself (decision 0005).

-- Counts the times that somebody looked whether a batch had been written. What was sent before a look and is read by the
-- server after it finds another number here, and writes nothing.
alter table log_head add column looks bigint not null default 0;

-- Where a stream must stand, and where it stands afterwards. No `last_event`: the revision alone counts.
create type stream_move as (
    kind          text,
    uuid          uuid,
    revision      bigint,
    last_event    uuid,
    next_revision bigint,
    next_event    uuid
);

-- Writes a batch if everything stands as its writer foresaw, and says whether the log's end did. An event whose stream is
-- below zero belongs to the stream of that move. Whatever else is not as foreseen fails, and takes back what was written.
create function write_batch(
    from_position bigint,
    from_chain    bytea,
    from_looks    bigint,
    to_position   bigint,
    to_chain      bytea,
    done          command[],
    moves         stream_move[],
    made          stream[],
    added         event[],
    pairs         key_given[],
    shapes        shape[],
    channel       text,
    node          text
) returns boolean language plpgsql as $$
declare
    keys bigint[];
begin
    update log_head set position = to_position, chain = to_chain
        where position = from_position and chain = from_chain and looks = from_looks;
    if not found then
        return false;
    end if;
    if cardinality(done) > 0 then
        insert into command select * from unnest(done);
    end if;
    if cardinality(moves) > 0 then
        with moved as (
            update stream s
                set revision = coalesce(m.next_revision, s.revision), last_event = coalesce(m.next_event, s.last_event)
                from unnest(moves) with ordinality m
                    (kind, uuid, revision, last_event, next_revision, next_event, number)
                where s.uuid = m.uuid and s.kind = m.kind and s.revision = m.revision
                    and (m.last_event is null or s.last_event = m.last_event)
                returning m.number, s.id
        )
        select array_agg(id order by number) into keys from moved;
        if cardinality(keys) is distinct from cardinality(moves) then
            raise exception 'a stream does not stand where it should' using errcode = 'LK001';
        end if;
    end if;
    if cardinality(made) > 0 then
        insert into stream select * from unnest(made);
    end if;
    if cardinality(added) > 0 then
        insert into event
            select e.position, case when e.stream < 0 then keys[-e.stream] else e.stream end, e.kind, e.revision,
                e.event_id, e.event_type, e.schema_version, e.recorded_at, e.occurred_at, e.actor_kind, e.actor_id,
                e.command_id, e.correlation_id, e.causation_id, e.subject_id, e.codec, e.payload, e.sealed,
                e.payload_digest, e.sealed_digest, e.leaf, e.chain
            from unnest(added) e;
        perform pg_notify(channel, node);
    end if;
    if cardinality(pairs) > 0 then
        insert into key_given select * from unnest(pairs);
    end if;
    if cardinality(shapes) > 0 then
        insert into shape select * from unnest(shapes) on conflict do nothing;
    end if;
    return true;
end
$$;
