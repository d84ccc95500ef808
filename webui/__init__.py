"""The page: a Flask application that shows a photo's reading, lets it be mended, and shows what scoring says."""

from webui.app import create_app

__all__ = ["create_app"]
