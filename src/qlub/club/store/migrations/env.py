"""Runs the steps inside the transaction that the caller has begun."""

from alembic import context

from qlub.club.store.schema import metadata

if hasattr(context, "config"):  # alembic runs this file; whoever only imports it runs nothing
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        render_as_batch=True,
    )
    context.run_migrations()
