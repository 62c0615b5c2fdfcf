//! Pictures of homes and cities, drawn from a seed. Knows nothing of housing but what it looks like.
