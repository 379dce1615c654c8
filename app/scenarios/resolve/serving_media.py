"""Images, video and sound of prompts: the tokens that the encoder of a model makes of them, and what it works on."""

from __future__ import annotations

from dataclasses import dataclass

from app.catalog.encoders import AUDIO, VISION, MediaEncoder, media_encoders
from app.engine.specs.serving import Encoder
from app.scenarios.document.architecture import InlineArchitecture
from app.scenarios.document.serving_requests import AnyRequestsDocument, RequestsDocument
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.resolve.inputs import Inputs

PATH = "workload.requests"
USUAL_PIXELS = 1024.0**2
FIELDS = {"images": VISION, "video_frames": VISION, "audio_s": AUDIO}
WORDS = {VISION: "images or video", AUDIO: "sound"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """What an encoder makes of the media of one prompt, mean over prompts."""

    encoder: MediaEncoder
    spans: float  # of attention: images, tiles, pairs of frames or clips
    positions: float  # of a span
    tokens: float  # of all, in the prompt


def media_of(document: AnyRequestsDocument, model: str | InlineArchitecture) -> Media | None:
    """Media of a prompt of a model; None where there are none.

    Raises
    ------
    ScenarioError : the model has no encoder for them
    """
    if not isinstance(document, RequestsDocument):
        return None
    asked = {name: kind for name, kind in FIELDS.items() if getattr(document, name) > 0}
    if not asked:
        return None
    encoder = media_encoders().get(model) if isinstance(model, str) else None
    faults = [
        InputError(
            path=f"{PATH}.{name}",
            value=getattr(document, name),
            rule="encoder",
            message=f"{model if isinstance(model, str) else model.name} takes no {WORDS[kind]}.",
            hint=f"Leave it out, or choose {_others(kind)}.",
        )
        for name, kind in asked.items()
        if encoder is None or encoder.media != kind
    ]
    if faults or encoder is None:
        raise ScenarioError(faults)
    if encoder.media == AUDIO:
        spans, positions, tokens = encoder.sound(document.audio_s)
        return Media(encoder=encoder, spans=spans, positions=positions, tokens=tokens)
    each, positions, tokens = _image(document, encoder)
    shown = document.images + document.video_frames / encoder.frames_per_patch
    return Media(encoder=encoder, spans=shown * each, positions=positions, tokens=shown * tokens)


def encoder_of(inputs: Inputs, media: Media | None) -> Encoder | None:
    """The encoder and its work on one prompt as the engine takes them."""
    if media is None:
        return None
    own, path = media.encoder, "workload.encoder"
    shape = {
        name: inputs.derived(f"{path}.{name}", getattr(own, name), name.replace("_", " "), own.source)
        for name in (
            "layers", "hidden", "inner", "matrices", "windowed_layers", "window_positions", "projector_parameters",
        )
    }  # fmt: skip
    work = {
        "spans": "images, tiles, pairs of frames or clips of sound of a prompt",
        "positions": "positions of each in the encoder",
        "tokens": "tokens of all in the prompt",
    }
    return Encoder(
        **shape,
        **{
            name: inputs.derived(f"{path}.{name}", getattr(media, name), words, own.source)
            for name, words in work.items()
        },
    )


def _image(document: RequestsDocument, encoder: MediaEncoder) -> tuple[float, float, float]:
    """Spans, positions of each and tokens of one image or frame; stated tokens as if it were not cut."""
    if document.image_tokens is not None:
        return 1.0, document.image_tokens * encoder.merge**2, document.image_tokens
    return encoder.image(document.image_pixels or USUAL_PIXELS)


def _others(kind: str) -> str:
    keys = [key for key, encoder in media_encoders().items() if encoder.media == kind]
    return f"{', '.join(keys[:-1])} or {keys[-1]}" if len(keys) > 1 else keys[0]
