from burnrt.kernels.plain import add as add
from burnrt.kernels.plain import affine as affine
from burnrt.kernels.plain import batch_norm as batch_norm
from burnrt.kernels.plain import relu as relu
