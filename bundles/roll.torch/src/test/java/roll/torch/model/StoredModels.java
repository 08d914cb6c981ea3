package roll.torch.model;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.decoder.DecoderParameters;
import roll.huggingface.Safetensors;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.testkit.SmallDecoder;
import roll.torch.Device;

/** Files of small models, and what becomes of them when they are read. */
final class StoredModels {
  static final DecoderSpec TIED =
      SmallDecoder.decoder(11, 16, 24, 1, 4, 2, Set.of(Trait.TIED_HEAD));

  private final Device device;

  StoredModels(Device device) {
    this.device = device;
  }

  /** Numbers that bf16 and f16 hold exactly. */
  static StoredTensor tensor(String name, List<Integer> shape, int first) {
    int size = shape.stream().reduce(1, (a, b) -> a * b);
    MemorySegment data = Arena.ofAuto().allocate(4L * size);
    for (int i = 0; i < size; i++) {
      data.setAtIndex(ValueLayout.JAVA_FLOAT, i, ((first + i) % 100) / 8f - 3);
    }
    List<Long> dimensions = shape.stream().map(Integer::longValue).toList();
    return new StoredTensor(name, TensorFormat.F32, dimensions, data);
  }

  /** A tensor for each parameter of {@code spec}. */
  static List<StoredTensor> model(DecoderSpec spec) {
    List<StoredTensor> tensors = new ArrayList<>();
    DecoderParameters.of(spec)
        .forEach(p -> tensors.add(tensor(p.name(), p.shape(), tensors.size())));
    return tensors;
  }

  static float[] floats(StoredTensor tensor) {
    float[] values = new float[(int) tensor.size()];
    tensor.readFloats(0, MemorySegment.ofArray(values));
    return values;
  }

  /** Uses weights of closed files. */
  interface Use {
    void with(Parameters parameters);
  }

  /** Calls {@code use} with the weights in {@code folder}, read into memory. */
  void reading(Path folder, DecoderSpec spec, Use use) {
    device.call(
        () -> {
          Parameters parameters;
          try (Safetensors files = Safetensors.open(folder)) {
            parameters = Parameters.read(device, spec, files, 0);
          }
          use.with(parameters);
          parameters.close();
          return true;
        });
  }

  /** Calls {@code use} with the mapped weights in {@code folder}. */
  void mapping(Path folder, Dtype compute, Use use) {
    device.call(
        () -> {
          Parameters parameters;
          try (Safetensors files = Safetensors.open(folder)) {
            parameters = Parameters.map(device, TIED, files, 0, compute);
          }
          use.with(parameters);
          parameters.close();
          parameters.close();
          return true;
        });
  }
}
