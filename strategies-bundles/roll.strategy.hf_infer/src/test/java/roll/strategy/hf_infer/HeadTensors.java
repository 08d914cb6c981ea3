package roll.strategy.hf_infer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;

/** Tensors in memory, to be written into files. */
final class HeadTensors {
  private HeadTensors() {}

  static StoredTensor copy(StoredTensor tensor) {
    MemorySegment bytes = tensor.map(Arena.ofAuto());
    MemorySegment data = Arena.ofAuto().allocate(bytes.byteSize()).copyFrom(bytes);
    return new StoredTensor(tensor.name(), tensor.format(), tensor.shape(), data);
  }

  static StoredTensor tensor(String name, List<Long> shape, float... numbers) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(4 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(numbers);
    return new StoredTensor(name, TensorFormat.F32, shape, MemorySegment.ofBuffer(bytes));
  }
}
