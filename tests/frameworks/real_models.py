"""Models that people have: those of torchvision and transformers, and networks as they are commonly written.

Weights are drawn, sizes small. Each entry makes the module and the arguments that it is called with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

functional = nn.functional
# A module, its arguments, and the name or place of the output that counts among several.
Made = tuple[Any, tuple[Any, ...], str | int | None]
VISION: dict[str, Callable[[], Made]] = {}
STANDARD: dict[str, Callable[[], Made]] = {}


def picture(size: int, batch: int = 1) -> Any:
    return torch.randn(batch, 3, size, size)


def vision(name: str, size: int = 32, output: str | None = None, **settings: Any) -> Callable[[], Made]:
    """Returns what makes a model of torchvision by its name."""

    def make() -> Made:
        import torchvision

        return torchvision.models.get_model(name, weights=None, **settings), (picture(size),), output

    return make


def vision_transformer() -> Made:
    import torchvision

    net = torchvision.models.VisionTransformer(32, 8, 3, 4, 48, 96, num_classes=10)
    nn.init.normal_(net.heads.head.weight)
    return net, (picture(32),), None


def multi_axis_transformer() -> Made:
    import torchvision

    net = torchvision.models.MaxVit((32, 32), 16, 4, [16, 32], [1, 1], 8, 0.0, num_classes=10)
    return net, (picture(32),), None


VISION |= {
    name: vision(name)
    for name in (
        "resnet18", "resnext50_32x4d", "densenet121", "shufflenet_v2_x0_5", "mobilenet_v2", "mobilenet_v3_small",
        "mnasnet0_5", "efficientnet_b0", "regnet_y_400mf", "convnext_tiny", "swin_t", "swin_v2_t",
    )
}  # fmt: skip
VISION |= {
    "squeezenet1_1": vision("squeezenet1_1", 48),
    "googlenet": vision("googlenet", aux_logits=False, init_weights=False),
    "inception_v3": vision("inception_v3", 75, aux_logits=False, init_weights=False),
    "vit": vision_transformer,
    "maxvit": multi_axis_transformer,
    "lraspp_mobilenet_v3_large": vision("lraspp_mobilenet_v3_large", output="out", weights_backbone=None),
}


def words(length: int = 7) -> Any:
    return torch.randint(0, 60, (2, length))


SIZES = {
    "vocab_size": 60,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 24,
}
PICTURES = {**{key: size for key, size in SIZES.items() if key != "vocab_size"}, "image_size": 16, "patch_size": 8}


def of_transformers(name: str, config: str, output: str, given: Callable[[], tuple[Any, ...]], **settings: Any) -> Any:
    """Returns what makes a tiny model of transformers by the names of its class and of its configuration."""

    def make() -> Made:
        import transformers

        chosen = getattr(transformers, config)(**settings)
        chosen.use_cache = False
        return getattr(transformers, name)(chosen), given(), output

    return make


def whisper_encoder() -> Made:
    import transformers
    from transformers.models.whisper.modeling_whisper import WhisperEncoder

    config = transformers.WhisperConfig(
        vocab_size=60, d_model=16, encoder_layers=2, decoder_layers=1, encoder_attention_heads=2, encoder_ffn_dim=24,
        num_mel_bins=8, max_source_positions=10, pad_token_id=0, bos_token_id=1, eos_token_id=2,
        decoder_start_token_id=1,
    )  # fmt: skip
    return WhisperEncoder(config), (torch.randn(1, 8, 20),), "last_hidden_state"


def translation() -> Made:
    import transformers

    config = transformers.T5Config(
        vocab_size=60, d_model=16, d_kv=8, d_ff=24, num_layers=2, num_heads=2, decoder_start_token_id=0, use_cache=False
    )

    class Both(nn.Module):
        """The model with its two texts alone."""

        def __init__(self) -> None:
            super().__init__()
            self.model = transformers.T5Model(config)

        def forward(self, source: Any, target: Any) -> Any:
            return self.model(input_ids=source, decoder_input_ids=target).last_hidden_state

    return Both(), (words(), words(5)), None


STANDARD |= {
    "BERT": of_transformers("BertModel", "BertConfig", "pooler_output", lambda: (words(),), **SIZES),
    "RoBERTa": of_transformers("RobertaModel", "RobertaConfig", "last_hidden_state", lambda: (words(),), **SIZES),
    "GPT-2": of_transformers(
        "GPT2LMHeadModel", "GPT2Config", "logits", lambda: (words(),),
        vocab_size=60, n_embd=16, n_layer=2, n_head=2, n_positions=32, bos_token_id=1, eos_token_id=2,
    ),
    "Llama": of_transformers(
        "LlamaForCausalLM", "LlamaConfig", "logits", lambda: (words(),), **SIZES, num_key_value_heads=1
    ),
    "Qwen2": of_transformers(
        "Qwen2ForCausalLM", "Qwen2Config", "logits", lambda: (words(),), **SIZES, num_key_value_heads=1
    ),
    "T5": translation,
    "ViT": of_transformers("ViTModel", "ViTConfig", "last_hidden_state", lambda: (picture(16, 2),), **PICTURES),
    "CLIP": of_transformers(
        "CLIPVisionModel", "CLIPVisionConfig", "last_hidden_state", lambda: (picture(16, 2),), **PICTURES
    ),
    "Whisper encoder": whisper_encoder,
    "wav2vec 2.0": of_transformers(
        "Wav2Vec2Model", "Wav2Vec2Config", "last_hidden_state", lambda: (torch.randn(1, 200),),
        **{key: size for key, size in SIZES.items() if key != "vocab_size"}, conv_dim=(8, 8), conv_stride=(5, 2),
        conv_kernel=(10, 3), num_conv_pos_embeddings=4, num_conv_pos_embedding_groups=2,
    ),
    "Mamba": of_transformers(
        "MambaForCausalLM", "MambaConfig", "logits", lambda: (words(),),
        vocab_size=60, hidden_size=16, num_hidden_layers=1, state_size=4, time_step_rank=2,
    ),
    "LSTM": lambda: (nn.LSTM(3, 5, 2, batch_first=True, bidirectional=True), (torch.randn(2, 6, 3),), 0),
    "GRU": lambda: (nn.GRU(3, 5, 2, batch_first=True), (torch.randn(2, 6, 3),), 0),
}  # fmt: skip


class UNet(nn.Module):
    """Two steps down and up, with what lies beside carried over."""

    def __init__(self, width: int = 8) -> None:
        super().__init__()
        self.down = nn.ModuleList([self.block(1, width), self.block(width, 2 * width)])
        self.middle = self.block(2 * width, 4 * width)
        self.up = nn.ModuleList(
            [nn.ConvTranspose2d(4 * width, 2 * width, 2, 2), nn.ConvTranspose2d(2 * width, width, 2, 2)]
        )
        self.join = nn.ModuleList([self.block(4 * width, 2 * width), self.block(2 * width, width)])
        self.last = nn.Conv2d(width, 1, 1)

    @staticmethod
    def block(before: int, after: int) -> Any:
        return nn.Sequential(
            nn.Conv2d(before, after, 3, padding=1), nn.BatchNorm2d(after), nn.ReLU(inplace=True),
            nn.Conv2d(after, after, 3, padding=1), nn.BatchNorm2d(after), nn.ReLU(inplace=True),
        )  # fmt: skip

    def forward(self, x: Any) -> Any:
        kept = []
        for layer in self.down:
            x = layer(x)
            kept.append(x)
            x = functional.max_pool2d(x, 2)
        x = self.middle(x)
        for up, join in zip(self.up, self.join, strict=True):
            x = join(torch.cat([up(x), kept.pop()], 1))
        return self.last(x)


class TimedBlock(nn.Module):
    """Two convolutions behind group norms, with the time of diffusion added between them."""

    def __init__(self, before: int, after: int, time: int) -> None:
        super().__init__()
        self.norms = nn.ModuleList([nn.GroupNorm(4, before), nn.GroupNorm(4, after)])
        self.first, self.second = nn.Conv2d(before, after, 3, padding=1), nn.Conv2d(after, after, 3, padding=1)
        self.time = nn.Linear(time, after)
        self.beside = nn.Identity() if before == after else nn.Conv2d(before, after, 1)

    def forward(self, x: Any, time: Any) -> Any:
        h = self.first(functional.silu(self.norms[0](x)))
        h = h + self.time(functional.silu(time))[:, :, None, None]
        return self.beside(x) + self.second(functional.silu(self.norms[1](h)))


class PictureAttention(nn.Module):
    """Attention of two heads between the places of a picture."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm, self.three, self.last = (
            nn.GroupNorm(4, width),
            nn.Conv2d(width, 3 * width, 1),
            nn.Conv2d(width, width, 1),
        )

    def forward(self, x: Any) -> Any:
        batch, width, height, length = x.shape
        parts = self.three(self.norm(x)).reshape(batch, 3, 2, width // 2, height * length).transpose(-1, -2)
        y = functional.scaled_dot_product_attention(*parts.unbind(1))
        return x + self.last(y.transpose(-1, -2).reshape(x.shape))


class DiffusionUNet(nn.Module):
    """What predicts the noise of a picture at a time."""

    def __init__(self, width: int = 8, time: int = 16) -> None:
        super().__init__()
        self.time = nn.Sequential(nn.Linear(width, time), nn.SiLU(), nn.Linear(time, time))
        self.first, self.last = nn.Conv2d(3, width, 3, padding=1), nn.Conv2d(width, 3, 3, padding=1)
        self.down, self.up = nn.Conv2d(width, 2 * width, 3, 2, 1), nn.Conv2d(2 * width, width, 3, padding=1)
        self.blocks = nn.ModuleList(
            [TimedBlock(width, width, time), *(TimedBlock(2 * width, 2 * width, time) for _ in range(2)),
             TimedBlock(2 * width, width, time)]
        )  # fmt: skip
        self.attention, self.norm = PictureAttention(2 * width), nn.GroupNorm(4, width)
        self.register_buffer("frequencies", torch.exp(torch.linspace(0, -9, width // 2)))

    def forward(self, x: Any, step: Any) -> Any:
        angles = step[:, None] * self.frequencies
        time = self.time(torch.cat([angles.sin(), angles.cos()], -1))
        beside = self.blocks[0](self.first(x), time)
        h = self.attention(self.blocks[1](self.down(beside), time))
        h = functional.interpolate(self.blocks[2](h, time), scale_factor=2, mode="nearest")
        h = self.blocks[3](torch.cat([self.up(h), beside], 1), time)
        return self.last(functional.silu(self.norm(h)))


STANDARD |= {
    "U-Net": lambda: (UNet(), (torch.randn(1, 1, 16, 16),), None),
    "diffusion U-Net": lambda: (DiffusionUNet(), (picture(8, 2), torch.tensor([3.0, 700.0])), None),
}
