"""The compiler: ``frontend`` imports, ``graph`` is what was imported, ``ops`` are the registries that lower it."""
