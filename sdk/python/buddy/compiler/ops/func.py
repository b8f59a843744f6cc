"""The registry ``func``: ``ops_registry`` lists its rows, and takes lowerings written in Python."""

from buddy.compiler.registry import OpsRegistry

ops_registry = OpsRegistry("func")
