//! Networks that between them have every kind of layer and of child that Burn's stores know.

use burn::module::{Module, Param, ParamId};
use burn::nn::attention::{MultiHeadAttention, MultiHeadAttentionConfig};
use burn::nn::conv::{
    Conv1d, Conv1dConfig, Conv2d, Conv2dConfig, Conv3d, Conv3dConfig, ConvTranspose1d,
    ConvTranspose1dConfig, ConvTranspose2d, ConvTranspose2dConfig, ConvTranspose3d,
    ConvTranspose3dConfig, DeformConv2d, DeformConv2dConfig,
};
use burn::nn::gru::{Gru, GruConfig};
use burn::nn::{
    BatchNorm, BatchNormConfig, Embedding, EmbeddingConfig, GroupNorm, GroupNormConfig,
    InstanceNorm, InstanceNormConfig, LayerNorm, LayerNormConfig, Linear, LinearConfig, Lstm,
    LstmConfig, PRelu, PReluConfig, RmsNorm, RmsNormConfig,
};
use burn::tensor::{Bool, Device, Int, Tensor};
use burn_store::ModuleSnapshot;
use serde_json::Value;

use crate::report::Outcome;

/// Something done with a module, whichever it is.
pub trait Work {
    fn with<M: ModuleSnapshot>(&self, module: M) -> Outcome<Value>;
}

pub const NAMES: [&str; 5] = ["zoo", "layers", "seq", "odd", "odder"];

/// Do `work` with a new module of the model called `name`.
pub fn with(name: &str, work: &impl Work) -> Outcome<Value> {
    let device = Device::flex();
    match name {
        "zoo" => work.with(Zoo::new(&device)),
        "layers" => work.with(Layers::new(&device)),
        "seq" => work.with(Seq::new(&device)),
        "odd" => work.with(Odd::new(&device, Act::prelu(&device))),
        "odder" => work.with(Odd::new(&device, Act::gated(&device))),
        _ => Err(format!("no model called {name}").into()),
    }
}

#[derive(Module, Debug)]
struct Zoo {
    conv1: Conv1d,
    conv2: Conv2d,
    conv3: Conv3d,
    up1: ConvTranspose1d,
    up2: ConvTranspose2d,
    bn1: BatchNorm,
    bn2: BatchNorm,
    ln: LayerNorm,
    gn: GroupNorm,
    rms: RmsNorm,
    prelu: PRelu,
    emb: Embedding,
    lin: Linear,
    lin_nobias: Linear,
    blocks: Vec<Block>,
}

impl Zoo {
    fn new(device: &Device) -> Self {
        Self {
            conv1: Conv1dConfig::new(2, 3, 3).init(device),
            conv2: Conv2dConfig::new([4, 4], [3, 2])
                .with_groups(2)
                .init(device),
            conv3: Conv3dConfig::new([1, 2], [2, 2, 2]).init(device),
            up1: ConvTranspose1dConfig::new([2, 3], 3).init(device),
            up2: ConvTranspose2dConfig::new([2, 3], [2, 2]).init(device),
            bn1: BatchNormConfig::new(3).init(device),
            bn2: BatchNormConfig::new(4).init(device),
            ln: LayerNormConfig::new(6).init(device),
            gn: GroupNormConfig::new(2, 4).init(device),
            rms: RmsNormConfig::new(6).init(device),
            prelu: PReluConfig::new().with_num_parameters(3).init(device),
            emb: EmbeddingConfig::new(7, 4).init(device),
            lin: LinearConfig::new(4, 6).init(device),
            lin_nobias: LinearConfig::new(6, 2).with_bias(false).init(device),
            blocks: (0..3).map(|_| Block::new(device)).collect(),
        }
    }
}

#[derive(Module, Debug)]
struct Block {
    lin: Linear,
    norm: LayerNorm,
}

impl Block {
    fn new(device: &Device) -> Self {
        Self {
            lin: LinearConfig::new(5, 3).init(device),
            norm: LayerNormConfig::new(3).init(device),
        }
    }
}

/// The layers that Zoo lacks.
#[derive(Module, Debug)]
struct Layers {
    up3: ConvTranspose3d,
    deform: DeformConv2d,
    instance: InstanceNorm,
    lstm: Lstm,
    gru: Gru,
    attention: MultiHeadAttention,
}

impl Layers {
    fn new(device: &Device) -> Self {
        Self {
            up3: ConvTranspose3dConfig::new([2, 1], [1, 2, 3]).init(device),
            deform: DeformConv2dConfig::new([2, 4], [2, 2]).init(device),
            instance: InstanceNormConfig::new(5).init(device),
            lstm: LstmConfig::new(3, 2, true).init(device),
            gru: GruConfig::new(2, 3, true).init(device),
            attention: MultiHeadAttentionConfig::new(4, 2).init(device),
        }
    }
}

/// Lists of layers, at two depths.
#[derive(Module, Debug)]
struct Seq {
    body: Vec<Linear>,
    head: Head,
}

#[derive(Module, Debug)]
struct Head {
    fc: Vec<Linear>,
}

impl Seq {
    fn new(device: &Device) -> Self {
        let linear = |input, output| LinearConfig::new(input, output).init(device);
        Self {
            body: vec![linear(3, 5), linear(5, 4), linear(4, 4)],
            head: Head {
                fc: vec![linear(4, 2), linear(2, 1)],
            },
        }
    }
}

/// Children of every other kind: an enum, options, an array, a tuple, parameters that are no floats.
#[derive(Module, Debug)]
struct Odd {
    act: Act,
    opt_some: Option<Linear>,
    opt_none: Option<Linear>,
    pair: (Linear, Linear),
    arr: [Linear; 2],
    ids: Param<Tensor<1, Int>>,
    mask: Param<Tensor<2, Bool>>,
}

#[derive(Module, Debug)]
enum Act {
    Prelu(PRelu),
    Gated(Linear),
}

impl Act {
    fn prelu(device: &Device) -> Self {
        Self::Prelu(PReluConfig::new().with_num_parameters(2).init(device))
    }

    fn gated(device: &Device) -> Self {
        Self::Gated(LinearConfig::new(2, 4).init(device))
    }
}

impl Odd {
    fn new(device: &Device, act: Act) -> Self {
        let linear = |input, output| LinearConfig::new(input, output).init(device);
        Self {
            act,
            opt_some: Some(linear(2, 3)),
            opt_none: None,
            pair: (linear(2, 2), linear(2, 1)),
            arr: [linear(1, 2), linear(1, 3)],
            ids: Param::initialized(ParamId::new(), Tensor::from_data([0, 0, 0], device)),
            mask: Param::initialized(ParamId::new(), Tensor::from_data([[false; 2]; 2], device)),
        }
    }
}
