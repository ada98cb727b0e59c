//! Random quantization schemes.

use burn::tensor::Shape;
use burn::tensor::quantization::{QuantMode, QuantScheme, QuantStore, QuantValue, ScaleDtype};

use crate::draw::Draw;

const VALUES: [QuantValue; 9] = [
    QuantValue::Q8F,
    QuantValue::E5M2,
    QuantValue::E4M3,
    QuantValue::Q4F,
    QuantValue::E2M1,
    QuantValue::Q2F,
    QuantValue::Q8S,
    QuantValue::Q4S,
    QuantValue::Q2S,
];
const SCALES: [ScaleDtype; 5] = [
    ScaleDtype::F32,
    ScaleDtype::F16,
    ScaleDtype::BF16,
    ScaleDtype::UE8M0,
    ScaleDtype::UE4M3,
];
const BLOCK_RANK: usize = 5;

/// A scheme that a tensor of this shape can have.
pub fn scheme(draw: &mut Draw, shape: &Shape) -> QuantScheme {
    let mut scheme = QuantScheme::default()
        .with_value(draw.one_of(&VALUES))
        .with_store(store(draw, shape.num_dims()))
        .with_mode(draw.one_of(&[QuantMode::Symmetric, QuantMode::Lookup]));
    if draw.once_in(2) {
        scheme = scheme.per_tensor(draw.one_of(&SCALES));
    }
    if draw.once_in(2) {
        let block = block(draw, shape.num_dims());
        scheme = scheme.per_block(block, draw.one_of(&SCALES));
    }
    scheme
}

fn store(draw: &mut Draw, rank: usize) -> QuantStore {
    let dimension = draw.below(rank.max(1));
    match draw.below(3) {
        0 => QuantStore::Native,
        1 => QuantStore::PackedNative(dimension),
        _ => QuantStore::PackedU32(dimension),
    }
}

fn block(draw: &mut Draw, rank: usize) -> Vec<u8> {
    let length = draw.below(rank.min(BLOCK_RANK) + 1);
    (0..length)
        .map(|_| draw.one_of(&[1, 2, 3, 5, 32, 255]))
        .collect()
}
