//! Random Burnpack containers: all that the format can hold, small.

use std::collections::BTreeMap;

use burn::tensor::quantization::quantized_data_len;
use burn::tensor::{BoolStore, Shape};
use burn_pack::{Bytes, DType, Scalar, Tensor, Writer};

use crate::draw::Draw;
use crate::schemes;

const PLAIN: [DType; 16] = [
    DType::F64,
    DType::F32,
    DType::Flex32,
    DType::F16,
    DType::BF16,
    DType::I64,
    DType::I32,
    DType::I16,
    DType::I8,
    DType::U64,
    DType::U32,
    DType::U16,
    DType::U8,
    DType::Bool(BoolStore::Native),
    DType::Bool(BoolStore::U8),
    DType::Bool(BoolStore::U32),
];
const NAMES: [&str; 14] = [
    "",
    ".",
    "weight",
    "a.0.weight",
    "a.10.weight",
    "a.9.weight",
    "__metadata__",
    "\0\n\r\t\u{1b}[31m",
    "\"\\/",
    "\u{7f}\u{80}\u{9f}",
    "é 重み",
    "\u{fffd}\u{feff}\u{ffff}",
    "🔥\u{10ffff}",
    "\u{202e}\u{2028}",
];
const FLOATS: [f64; 17] = [
    0.0,
    -0.0,
    1.0,
    0.1,
    65504.0,
    65536.0,
    5.960464477539063e-8,
    3.4028234663852886e38,
    1e39,
    1e-45,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    -f64::NAN,
    f64::from_bits(0x7ff8_0400_0000_0000), // NaNs whose fractions a half and a single hold
    f64::from_bits(0xfff8_0000_2000_0000),
];

/// What a container is made of.
pub struct Parts {
    pub tensors: Vec<Tensor>,
    pub metadata: BTreeMap<String, String>,
    pub scalars: BTreeMap<String, Scalar>,
}

impl Parts {
    pub fn writer(&self) -> Writer {
        let mut writer = Writer::new(self.tensors.clone());
        for (key, text) in &self.metadata {
            writer = writer.with_metadata(key, text);
        }
        for (key, scalar) in &self.scalars {
            writer = writer.with_scalar(key, *scalar);
        }
        writer
    }
}

pub fn parts(draw: &mut Draw) -> Parts {
    let mut tensors: BTreeMap<String, Tensor> = BTreeMap::new();
    for _ in 0..draw.below(6) {
        let name = name(draw);
        tensors.insert(name.clone(), tensor(draw, name));
    }
    Parts {
        tensors: shuffled(draw, tensors.into_values().collect()),
        metadata: (0..draw.below(4))
            .map(|_| (name(draw), name(draw)))
            .collect(),
        scalars: (0..draw.below(4))
            .map(|_| (name(draw), scalar(draw)))
            .collect(),
    }
}

/// The bytes that a tensor of this dtype and shape takes.
pub fn size(dtype: DType, shape: &Shape) -> usize {
    match dtype {
        DType::QFloat(scheme) => quantized_data_len(&scheme, shape),
        _ => shape.num_elements() * dtype.size(),
    }
}

fn tensor(draw: &mut Draw, name: String) -> Tensor {
    let shape = shape(draw);
    let dtype = match draw.once_in(3) {
        true => DType::QFloat(schemes::scheme(draw, &shape)),
        false => draw.one_of(&PLAIN),
    };
    let mut length = size(dtype, &shape);
    // Burn compares the length of a quantized tensor with nothing.
    if matches!(dtype, DType::QFloat(_)) && draw.once_in(8) {
        length = draw.below(300);
    }
    let bytes = Bytes::from_bytes_vec(draw.bytes(length));
    let param_id = (!draw.once_in(3)).then(|| draw.wide());
    Tensor::new(name, dtype, shape, param_id, bytes)
}

fn shape(draw: &mut Draw) -> Shape {
    if draw.once_in(16) {
        return Shape::from(vec![draw.one_of(&[255, 256, 257])]);
    }
    let rank = draw.one_of(&[0, 1, 1, 2, 2, 2, 3, 4, 5, 8]);
    let most = if rank > 3 { 3 } else { 6 };
    Shape::from((0..rank).map(|_| draw.below(most)).collect::<Vec<usize>>())
}

fn scalar(draw: &mut Draw) -> Scalar {
    match draw.below(5) {
        0 => Scalar::Int(draw.wide() as i64),
        1 => Scalar::UInt(draw.wide()),
        2 => Scalar::Bool(draw.once_in(2)),
        3 => Scalar::Float(draw.one_of(&FLOATS)),
        _ => Scalar::Float(f64::from_bits(draw.word())),
    }
}

fn name(draw: &mut Draw) -> String {
    match draw.below(3) {
        0 => draw.one_of(&NAMES).to_string(),
        1 => format!("layers.{}.weight", draw.below(1000)),
        _ => (0..draw.below(40)).map(|_| letter(draw)).collect(),
    }
}

/// A character of any width of UTF-8.
fn letter(draw: &mut Draw) -> char {
    let most = draw.one_of(&[0x80, 0x800, 0x1_0000, 0x11_0000]);
    char::from_u32(draw.below(most) as u32).unwrap_or('?')
}

fn shuffled<T>(draw: &mut Draw, mut items: Vec<T>) -> Vec<T> {
    for last in (1..items.len()).rev() {
        items.swap(last, draw.below(last + 1));
    }
    items
}
