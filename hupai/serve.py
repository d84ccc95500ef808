"""`hupai serve`: the web page."""

from __future__ import annotations

import click

import models
from hupai.live import source
from hupai.refusal import refuse
from vision.video import Video, VideoError
from webui.serve import PORT, ServeError
from webui.serve import serve as serve_page


@click.command()
@click.option("--lan", is_flag=True, help="Open the page to the network too, for whoever has the link with its key.")
@click.option(
    "--host", metavar="ADDRESS", help="Listen on this address only. [default: this machine, or all with --lan]"
)
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 takes any free port.")
@click.option("--https", is_flag=True, help="With --lan: give the page the cameras of phones that trust this machine.")
@click.option("--new-authority", is_flag=True, help="With --https: make what phones trust anew, each once more.")
@click.option("--open", "open_browser", is_flag=True, help="Open the page in the browser of this machine.")
@click.option(
    "--camera",
    metavar="N|FILE|URL",
    callback=source,
    help="Show this camera, film or stream in the page's live view, to all who look.",
)
def serve(
    lan: bool,
    host: str | None,
    port: int,
    https: bool,
    new_authority: bool,
    open_browser: bool,
    camera: int | str | None,
) -> None:
    """Serve the web page: photograph a hand, mend what was misread, see the score."""
    try:
        for name in ("locator", "namer"):
            models.check(name)  # said now and not with the first photo
        if camera is not None:
            with Video(camera):
                pass  # what cannot be opened is said now and not first on the page
        serve_page(
            host=host,
            port=port,
            lan=lan,
            open_browser=open_browser,
            say=click.echo,
            config={"CAMERA": camera},
            https=https,
            new_authority=new_authority,
        )
    except (models.ModelError, ServeError, VideoError) as error:
        refuse(str(error))
