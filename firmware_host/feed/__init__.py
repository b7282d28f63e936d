"""What a table tells the world: JSON lines over a Unix socket. docs/feed.md describes them.

`feed_client.FeedReader` reads them from Python.
"""
