from burnrt.int8.model import Model as Model
