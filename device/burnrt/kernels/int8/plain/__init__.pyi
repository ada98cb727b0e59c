from burnrt.kernels.int8.plain.conv import conv2d as conv2d
from burnrt.kernels.int8.plain.dense import linear as linear
from burnrt.kernels.int8.plain.depthwise import depthwise2d as depthwise2d
from burnrt.kernels.int8.plain.elementwise import add as add
from burnrt.kernels.int8.plain.elementwise import lookup as lookup
from burnrt.kernels.int8.plain.pool import avg_pool2d as avg_pool2d
from burnrt.kernels.int8.plain.pool import max_pool2d as max_pool2d
from burnrt.kernels.int8.plain.probability import softmax as softmax
