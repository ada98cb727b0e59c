from burnrt.value import Value as Value
from burnrt.value import tensor as tensor
