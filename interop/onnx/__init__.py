"""Files of ONNX, read without its library: protocol buffers, of which only the parts that say what is computed.

Nothing runs. `from_onnx` is the way in; `protobuf` reads messages, `messages` says what ONNX's are, `file` bounds what
is read, `weights` has the arrays, `program` the graph as the file has it, and `reading` makes blocks of it by the
operators of `interop.opset`.
"""
